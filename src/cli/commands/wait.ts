/** `tenacitty wait`: waits until a terminal's program has ended, or until another condition holds. */
import { MAX_EXEC_TIMEOUT_MS } from '../../contract/command.js';
import type { WaitFor, WaitResult } from '../../contract/command.js';
import type { TerminalManager } from '../../contract/manager.js';
import type { TerminalDetail, TerminalSummary } from '../../contract/terminal.js';
import { printable } from '../../printable.js';
import type { Call } from '../command.js';
import { endingInWords, exitCodeOfProgram, FAILED, OK, reasonInWords, TIMED_OUT } from '../exit-code.js';
import { actOnEach } from '../each.js';
import { lostInWords } from '../lost-command.js';
import { allSelected, isByLabel } from '../selection.js';
import { printJson, say } from '../stdout.js';
import type { WAIT_FLAGS } from '../flags/read.js';
import { shortId } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';

type Flags = Call<typeof WAIT_FLAGS>['flags'];
/** The conditions, without the timeout. */
type Asked = Omit<WaitFor, 'timeoutMs'>;

/** Waits for each of several terminals. Returns the first exit code that is not 0. */
export function wait(call: Call<typeof WAIT_FLAGS>): Promise<number> {
  const { flags, settings } = call;
  return withEngine(settings, async (manager) => {
    const terminals = await allSelected(manager, call);
    const results = new Map<string, object>();
    const code = await actOnEach(terminals, async ({ id }) => {
      const { result, tell } = await waited(manager, id, flags);
      results.set(id, { terminalId: id, ...result });
      return tell();
    });
    if (flags.json) await printResults(terminals, results, isByLabel(call));
    return code;
  });
}

async function printResults(
  terminals: readonly TerminalSummary[],
  results: ReadonlyMap<string, object>,
  isList: boolean,
): Promise<void> {
  const found = terminals.flatMap(({ id }) => results.get(id) ?? []);
  if (isList) await printJson(found);
  else for (const result of found) await printJson(result);
}

interface Waited {
  /** For `--json`. */
  readonly result: object;
  /** Reports the result to the person and returns the exit code. */
  readonly tell: () => Promise<number> | number;
}

async function waited(manager: TerminalManager, id: string, flags: Flags): Promise<Waited> {
  const asked = askedBy(flags);
  const isForMore = Object.keys(asked).some((key) => key !== 'fromOffset');
  const result = await untilAny(manager, id, asked, flags.timeout ?? Infinity);
  if (isForMore) return { result, tell: () => tellWhat(manager, id, result, flags) };
  const detail = await manager.get(id);
  return { result: detail, tell: () => tellEnd(detail, result) };
}

/** Omits conditions that were not given. */
function askedBy({ text, regex, idle, input, port, command, from }: Flags): Asked {
  return {
    ...(text !== undefined && { text }),
    ...(regex !== undefined && { regex }),
    ...(idle !== undefined && { idleMs: idle }),
    ...(input && { input }),
    ...(port !== undefined && { port: port === 'any' ? true : port }),
    ...(command !== undefined && { commandId: command }),
    ...(from !== undefined && { fromOffset: from }),
  };
}

/** Waits repeatedly, because each wait is bounded; each continues where the previous one ended. */
async function untilAny(manager: TerminalManager, id: string, asked: Asked, timeoutMs: number): Promise<WaitResult> {
  const end = performance.now() + timeoutMs;
  let from = asked.fromOffset;
  let skipped = 0;
  for (;;) {
    const leftMs = Math.max(0, Math.ceil(end - performance.now()));
    const where = from === undefined ? {} : { fromOffset: from };
    const result = await manager.wait(id, { ...asked, ...where, timeoutMs: Math.min(leftMs, MAX_EXEC_TIMEOUT_MS) });
    skipped += result.skippedBytes;
    if (result.reason !== 'timeout' || performance.now() >= end) return { ...result, skippedBytes: skipped };
    from = result.offset;
  }
}

/** Reports how the wait ended. Returns the exit code of the program, or `TIMED_OUT` if it is still running. */
function tellEnd(detail: TerminalDetail, { reason }: WaitResult): number {
  const isEnded = reason === 'exit';
  say(inWords(detail, isEnded));
  return isEnded ? exitCodeOfProgram(detail) : TIMED_OUT;
}

function inWords({ id, status, exitCode, signal, endedBy }: TerminalDetail, isEnded: boolean): string {
  const terminal = `terminal ${shortId(id)}`;
  if (!isEnded) return `${terminal} is still running`;
  if (status === 'lost') return `${terminal} is lost: how its program ended is not known`;
  return `${terminal} has ended: ${endingInWords({ exitCode, signal })}${endedBy === null ? '' : reasonInWords(endedBy)}`;
}

/**
 * Reports a wait for another condition. The exit code of a command is passed on. The end of the program counts as a
 * failure unless it was one of the conditions.
 */
async function tellWhat(manager: TerminalManager, id: string, result: WaitResult, flags: Flags): Promise<number> {
  const { reason } = result;
  if (result.skippedBytes > 0) say(`${result.skippedBytes} bytes were dropped before they could be searched`);
  if (reason === 'exit') return tellEarlyEnd(await manager.get(id), result, flags);
  if (reason === 'command') return tellCommand(manager, id, flags.command!);
  say(
    reason === 'timeout'
      ? `terminal ${shortId(id)}: the timeout expired before the condition was met`
      : whatCame(id, result),
  );
  return reason === 'timeout' ? TIMED_OUT : OK;
}

function tellEarlyEnd(detail: TerminalDetail, { exitCode, signal }: WaitResult, { exit }: Flags): number {
  say(inWords(detail, true));
  return exit ? exitCodeOfProgram({ exitCode, signal }) : FAILED;
}

async function tellCommand(manager: TerminalManager, id: string, commandId: number): Promise<number> {
  const command = await manager.command(id, commandId);
  if (command.state === 'lost') {
    say(lostInWords(id, commandId));
    return FAILED;
  }
  say(`command ${commandId} of terminal ${shortId(id)} has ended: ${endingInWords(command)}`);
  return exitCodeOfProgram(command);
}

function whatCame(id: string, { reason, match, port, waiting, offset }: WaitResult): string {
  const terminal = `terminal ${shortId(id)}`;
  if (match !== null) return `${terminal} printed a match, up to offset ${offset}: ${printable(match.line)}`;
  if (port !== null) return `${terminal} listens on port ${port}`;
  if (waiting !== null) return `${terminal}: ${waiting.by} waits for input (${waiting.kind})`;
  return reason === 'idle' ? `${terminal} is quiet` : `${terminal}: ${reason}`;
}
