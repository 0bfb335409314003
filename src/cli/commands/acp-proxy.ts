/** `tenacitty acp proxy`: what an editor starts in place of its agent. */
import { proxyAcpOnStdio } from '../../acp-proxy.js';
import type { McpServer } from '../../acp-proxy.js';
import { resolveOptions } from '../../config.js';
import type { Options } from '../../config.js';
import { TerminalError } from '../../errors.js';
import type { InputIssue } from '../../errors.js';
import { onLeavingSignal } from '../attach/signals.js';
import type { Call } from '../command.js';
import { exitCodeOfProgram, NO_SUCH_PROGRAM } from '../exit-code.js';
import { serverCommand } from '../mcp-clients/server-command.js';
import { readSurroundings } from '../mcp-clients/surroundings.js';
import { usageError } from '../parse.js';
import { say } from '../stdout.js';
import type { ACP_FLAGS } from '../table/acp.js';

/** Answers with the agent's exit code. */
export async function acpProxy(call: Call<typeof ACP_FLAGS>): Promise<number> {
  const { program, flags, settings } = call;
  if (program.length === 0) throw usageError({ name: 'acp' }, 'The agent is missing: acp proxy -- AGENT.');
  const { options } = resolveOptions({ argv: settings, isServing: false });
  const leaving = new AbortController();
  const letGo = onLeavingSignal((signal) => leaving.abort(signal));
  const { force, rawUpdates, mcp } = flags;
  const mcpServer = mcp ? ourServer(settings, options) : null;
  try {
    const wishes = { force, rawUpdates, mcpServer, leaving: leaving.signal };
    return exitCodeOfProgram(await proxyAcpOnStdio(program, options, wishes));
  } catch (error) {
    if (!isNoProgram(error)) throw error;
    say(error.message);
    return NO_SUCH_PROGRAM;
  } finally {
    letGo();
  }
}

/** With the place of the terminals in words: an agent may start it without our variables, and anywhere. */
function ourServer(settings: readonly string[], { dataDir, runtimeDir }: Options): McpServer {
  const place = [`--data-dir=${dataDir}`, `--runtime-dir=${runtimeDir}`];
  const wishes = { program: undefined, npx: false, workspace: undefined, settings: [...settings, ...place] };
  const { command, args } = serverCommand(wishes, readSurroundings());
  return { name: 'tenacitty', command, args };
}

function isNoProgram(error: unknown): error is TerminalError {
  if (!(error instanceof TerminalError)) return false;
  const issues = (error.details['issues'] ?? []) as readonly InputIssue[];
  return issues.some(({ field }) => field === 'program');
}
