/**
 * Where the MCP server of one client is put together: the engine and the door on stdin and stdout. Like `server.ts` it
 * reads no setting, never exits the process and traps no signal.
 */
import { managerFor, openCommandPolicy } from './access/policy/open-policy.js';
import type { Options } from './config.js';
import { placeFlags } from './config/place.js';
import { openEngine } from './engine.js';
import { engineLog, openQuietLog } from './log.js';
import type { CloseMode } from './mcp/presence.js';

export interface McpOptions {
  /** Whose numbered terminals these are. Default: nobody else's. */
  readonly workspace?: string | undefined;
  /** What becomes of terminals whose client has gone. Default: `idle`. */
  readonly onClose?: CloseMode | undefined;
}

/**
 * Serves until stdin ends; the terminals go on where another process holds them.
 *
 * @throws {TerminalError} `INVALID_INPUT` if the log file cannot be opened or the policy cannot be used.
 */
export async function serveMcpOnStdio(options: Options, { workspace, onClose }: McpOptions = {}): Promise<void> {
  const log = openQuietLog(options);
  const policy = await openCommandPolicy(options);
  const engine = await openEngine(options, engineLog(log));
  const manager = await managerFor('mcp', engine, policy, options, engineLog(log));
  try {
    const { serveOnStdio } = await import('./mcp/stdio.js');
    const { Workspace } = await import('./mcp/workspace.js');
    const presence = onClose === undefined ? {} : { mode: onClose };
    await serveOnStdio(
      new Workspace(manager, { namespace: workspace, presence, placeFlags: placeFlags(options) }),
      (error) => log.warn({ error: String(error) }, 'A fault while serving MCP'),
    );
  } finally {
    await manager.close();
  }
}
