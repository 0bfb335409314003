/**
 * Defines how an agent starts tenacitty's MCP server. Agents start it in any directory and with few of this process's
 * environment variables, so flags specify where the terminals are and which policy applies.
 */
import type { Options } from '../../config.js';
import { serverCommand } from './server-command.js';
import { readUserContext } from './user-context.js';

export interface OwnServer {
  readonly name: string;
  readonly command: string;
  readonly args: string[];
}

/**
 * Returns the server's entry. @param settings - Flags that are settings, as written, which also apply to the server.
 */
export function ownServer(settings: readonly string[], { dataDir, runtimeDir, commandPolicyFile }: Options): OwnServer {
  const place = [`--data-dir=${dataDir}`, `--runtime-dir=${runtimeDir}`];
  const policy = commandPolicyFile === null ? [] : [`--command-policy-file=${commandPolicyFile}`];
  const all = [...settings, ...place, ...policy];
  const options = { program: undefined, npx: false, workspace: undefined, settings: all };
  const { command, args } = serverCommand(options, readUserContext());
  return { name: 'tenacitty', command, args: [...args] };
}
