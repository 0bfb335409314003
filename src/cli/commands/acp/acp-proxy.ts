/** `tenacitty acp proxy`: the program that an editor starts in place of its agent. */
import { proxyAcpOnStdio } from '../../../acp-proxy.js';
import { resolveOptions } from '../../../config.js';
import { issueOf } from '../../../errors.js';
import { onEndingSignal } from '../../attach/signals.js';
import type { ParsedCall } from '../../command.js';
import { exitCodeOfProgram, NO_SUCH_PROGRAM } from '../../exit-code.js';
import { ownServer } from '../../mcp-clients/own-server.js';
import { usageError } from '../../parse.js';
import { printMessage } from '../../stdout.js';
import type { ACP_FLAGS } from '../../flags/acp.js';

/** Resolves with the agent's exit code. */
export async function acpProxy(call: ParsedCall<typeof ACP_FLAGS>): Promise<number> {
  const { program, flags, settings } = call;
  if (program.length === 0) throw usageError({ name: 'acp' }, 'AGENT is missing. Usage: acp proxy -- AGENT.');
  const { options } = resolveOptions({ argv: settings, isServing: false });
  const leaving = new AbortController();
  const letGo = onEndingSignal((signal) => leaving.abort(signal));
  const { force, rawUpdates, mcp } = flags;
  const mcpServer = mcp ? ownServer(settings, options) : null;
  try {
    const request = { force, rawUpdates, mcpServer, leaving: leaving.signal };
    return exitCodeOfProgram(await proxyAcpOnStdio(program, options, request));
  } catch (error) {
    const missing = issueOf(error, 'program');
    if (missing === undefined) throw error;
    printMessage(missing.message);
    return NO_SUCH_PROGRAM;
  } finally {
    letGo();
  }
}
