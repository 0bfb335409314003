/**
 * Makes `exec` run in a shell or REPL within the terminal's running command: finds it, integrates it, and waits for its
 * prompt.
 */
import type { IntegrateRequest, NestedShell } from '../../contract/command.js';
import { TerminalError } from '../../errors.js';
import type { CommandTerminal } from '../command-terminal.js';
import type { TrackedShell } from '../tracked-shell.js';
import type { ShellStack } from '../shell-stack.js';
import type { IntegrationTarget } from './pending-shell.js';
import { withTimeLimit } from '../../wait/time-limit.js';
import { findIntegrationTarget } from './integration-target.js';
import type { IntegrationObstacle, SearchedTerminal } from './integration-target.js';

/** Minimum time to wait for a reply to what was typed. */
const MIN_ANSWER_MS = 3000;
/** Maximum length of the newest line. */
const MAX_LINE_BYTES = 2000;

/** See `TerminalManager.integrate`. @param commandId - The command that is running in the innermost shell. */
export async function integrateWithin(
  terminal: CommandTerminal,
  shell: ShellStack,
  commandId: number,
  request: IntegrateRequest,
  signal?: AbortSignal,
): Promise<NestedShell> {
  const deadline = performance.now() + request.timeoutMs;
  const searched = searchedTerminal(terminal, shell);
  const found = await withTimeLimit(request.timeoutMs, signal, (end) =>
    findIntegrationTarget(searched, request.as, end),
  );
  const waitMs = Math.max(MIN_ANSWER_MS, deadline - performance.now());
  await withTimeLimit(waitMs, signal, async (end) => {
    while (shell.isAway && !end.aborted && !terminal.isHandedOff) await terminal.nextChange(end);
  });
  if (terminal.isHandedOff || shell.isAway) throw handedOffError(terminal.id);
  if (!terminal.isActive) throw terminal.inactive();
  // Another caller may have been faster.
  if (shell.inner?.within === commandId) return nestedShellOf(terminal.id, shell.inner);
  if (shell.running !== commandId) throw integrationError(terminal.id, commandId, GONE);
  if ('problem' in found) throw integrationError(terminal.id, commandId, found);
  return integrateTarget(terminal, shell, commandId, found, waitMs, signal);
}

/** Returns the response for an integrated shell; also used if the shell had already been integrated. */
export function nestedShellOf(terminalId: string, shell: TrackedShell): NestedShell {
  const { within, kind, version, directory } = shell;
  return { terminalId, within: within!, kind, version, cwd: directory };
}

const GONE: IntegrationObstacle = { problem: 'it has ended', waiting: null, isTransient: false };
const SILENT: IntegrationObstacle = {
  problem: 'it did not understand the typed integration: it is another program (see `as`), or not at its prompt',
  waiting: null,
  isTransient: false,
};

async function integrateTarget(
  terminal: CommandTerminal,
  shell: ShellStack,
  commandId: number,
  target: IntegrationTarget,
  waitMs: number,
  signal?: AbortSignal,
): Promise<NestedShell> {
  // Another caller may have begun the integration.
  if (!shell.isIntegrating) begin(shell, target);
  await withTimeLimit(waitMs, signal, async (end) => {
    while (shell.isIntegrating && !end.aborted && !terminal.isHandedOff) await terminal.nextChange(end);
  });
  if (terminal.isHandedOff || shell.isAway) throw handedOffError(terminal.id);
  shell.abandonIntegration();
  if (shell.inner?.within === commandId) return nestedShellOf(terminal.id, shell.inner);
  if (!terminal.isActive) throw terminal.inactive();
  throw integrationError(terminal.id, commandId, shell.running === commandId ? SILENT : GONE);
}

function begin(shell: ShellStack, target: IntegrationTarget): void {
  try {
    shell.integrate(target);
  } catch (cause) {
    shell.abandonIntegration();
    const message = `The integration could not be passed to the shell: ${(cause as Error).message}`;
    throw new TerminalError('WRITE_FAILED', message, {}, { cause });
  }
}

function searchedTerminal(terminal: CommandTerminal, shell: ShellStack): SearchedTerminal {
  return {
    pid: shell.pid,
    outputEnd: () => terminal.outputEnd,
    probe: () => shell.probe(),
    isFullScreen: () => terminal.isFullScreen,
    lastLine: () => lastLineOf(Buffer.from(terminal.bytesFrom(terminal.outputEnd - MAX_LINE_BYTES, MAX_LINE_BYTES))),
  };
}

function lastLineOf(bytes: Buffer): string {
  const line = bytes.toString('utf8').replace(/\x1b\[[0-9;?<>=]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b./g, '');
  return line.slice(line.lastIndexOf('\n') + 1);
}

function integrationError(
  terminalId: string,
  commandId: number,
  { problem, waiting }: IntegrationObstacle,
): TerminalError {
  const message =
    `No nested shell can be integrated in command ${commandId} of terminal ${terminalId}: ${problem}. Type into ` +
    'it and read its output, or try again when it shows its prompt.';
  return new TerminalError('NOT_INTEGRATED', message, { terminalId, commandId, waiting });
}

/** Returns the error for a command that had not begun when the terminal was handed to another host. */
export function handedOffError(id: string): TerminalError {
  const message = `Terminal ${id} was handed to another host process before its command started`;
  return new TerminalError('HOST_LOST', message, { terminalId: id });
}
