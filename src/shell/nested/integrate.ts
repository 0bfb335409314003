/**
 * Makes `exec` run in a shell or REPL within the terminal's running command: finds it, integrates it, and waits for its
 * prompt. Does not depend on API layers or other terminals.
 */
import type { IntegrateRequest, ShellWithin } from '../../contract/command.js';
import { TerminalError } from '../../errors.js';
import type { CommandTerminal } from '../command-terminal.js';
import type { FollowedShell } from '../followed-shell.js';
import type { IntegratedShell } from '../integrated-shell.js';
import type { WayIn } from './arrival.js';
import { withTimeLimit } from '../../wait/time-limit.js';
import { untilWayIn } from './way-in.js';
import type { Obstacle, SightedTerminal } from './way-in.js';

/** Minimum time to wait for an answer to what was typed. */
const MIN_ANSWER_MS = 3000;
/** Maximum length of the newest line. */
const MAX_LINE_BYTES = 2000;

/**
 * See `TerminalManager.integrate`.
 *
 * @param commandId - The command that runs in the innermost shell.
 */
export async function integrateWithin(
  terminal: CommandTerminal,
  shell: IntegratedShell,
  commandId: number,
  request: IntegrateRequest,
  signal?: AbortSignal,
): Promise<ShellWithin> {
  const deadline = performance.now() + request.timeoutMs;
  const sighted = sightOf(terminal, shell);
  const sight = await withTimeLimit(request.timeoutMs, signal, (end) => untilWayIn(sighted, request.as, end));
  const patienceMs = Math.max(MIN_ANSWER_MS, deadline - performance.now());
  await withTimeLimit(patienceMs, signal, async (end) => {
    while (shell.isAway && !end.aborted && !terminal.isElsewhere) await terminal.nextChange(end);
  });
  if (terminal.isElsewhere || shell.isAway) throw elsewhere(terminal.id);
  if (!terminal.isActive) throw terminal.inactive();
  // Another caller may have been faster.
  if (shell.inner?.within === commandId) return told(terminal.id, shell.inner);
  if (shell.running !== commandId) throw failed(terminal.id, commandId, GONE);
  if ('problem' in sight) throw failed(terminal.id, commandId, sight);
  return enter(terminal, shell, commandId, sight, patienceMs, signal);
}

/** Returns the answer for an integrated shell; also used if the shell was integrated before. */
export function told(terminalId: string, shell: FollowedShell): ShellWithin {
  const { within, kind, version, directory } = shell;
  return { terminalId, within: within!, kind, version, cwd: directory };
}

const GONE: Obstacle = { problem: 'it has ended', waiting: null, isPassing: false };
const SILENT: Obstacle = {
  problem: 'it did not understand the typed integration: it is another program (see `as`), or not at its prompt',
  waiting: null,
  isPassing: false,
};

async function enter(
  terminal: CommandTerminal,
  shell: IntegratedShell,
  commandId: number,
  way: WayIn,
  patienceMs: number,
  signal?: AbortSignal,
): Promise<ShellWithin> {
  // Another caller may have begun it.
  if (!shell.isExpecting) begin(shell, way);
  await withTimeLimit(patienceMs, signal, async (end) => {
    while (shell.isExpecting && !end.aborted && !terminal.isElsewhere) await terminal.nextChange(end);
  });
  if (terminal.isElsewhere || shell.isAway) throw elsewhere(terminal.id);
  shell.giveUpArrival();
  if (shell.inner?.within === commandId) return told(terminal.id, shell.inner);
  if (!terminal.isActive) throw terminal.inactive();
  throw failed(terminal.id, commandId, shell.running === commandId ? SILENT : GONE);
}

function begin(shell: IntegratedShell, way: WayIn): void {
  try {
    shell.expect(way);
  } catch (cause) {
    shell.giveUpArrival();
    const message = `The integration could not be passed to the shell: ${(cause as Error).message}`;
    throw new TerminalError('WRITE_FAILED', message, {}, { cause });
  }
}

function sightOf(terminal: CommandTerminal, shell: IntegratedShell): SightedTerminal {
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

function failed(terminalId: string, commandId: number, { problem, waiting }: Obstacle): TerminalError {
  const message =
    `No nested shell can be integrated in command ${commandId} of terminal ${terminalId}: ${problem}. Type into ` +
    'it and read its output, or try again when it shows its prompt.';
  return new TerminalError('NOT_INTEGRATED', message, { terminalId, commandId, waiting });
}

/** Returns the error that the terminal was handed to another host before something had begun. */
export function elsewhere(id: string): TerminalError {
  const message = `Terminal ${id} was handed to another host process before its command started`;
  return new TerminalError('HOST_LOST', message, { terminalId: id });
}
