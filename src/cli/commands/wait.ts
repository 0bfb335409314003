/** `tenacitty wait`: waits until a terminal's program has ended or another condition is met. */
import { MAX_EXEC_TIMEOUT_MS } from '../../contract/command.js';
import type { WaitFor, WaitResult } from '../../contract/command.js';
import type { TerminalManager } from '../../contract/manager.js';
import type { TerminalDetail, TerminalSummary } from '../../contract/terminal.js';
import { printable } from '../../printable.js';
import type { ParsedCall } from '../command.js';
import { describeEnd, exitCodeOfProgram, FAILED, OK, describeEndReason, TIMED_OUT } from '../exit-code.js';
import { actOnEach } from '../each-terminal.js';
import { describeLostCommand } from '../lost-command.js';
import { allSelected, isByLabel } from '../selection.js';
import { print, printJson, printMessage } from '../stdout.js';
import type { WAIT_FLAGS } from '../flags/read.js';
import { shortId } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';

type Flags = ParsedCall<typeof WAIT_FLAGS>['flags'];
/** The conditions, without the timeout. */
type Conditions = Omit<WaitFor, 'timeoutMs'>;

/** Waits for each of several terminals. Returns the first exit code that is not 0. */
export function wait(call: ParsedCall<typeof WAIT_FLAGS>): Promise<number> {
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
  /** What `--json` prints. */
  readonly result: object;
  /** Reports the result to the person, and returns the exit code. */
  readonly tell: () => Promise<number> | number;
}

async function waited(manager: TerminalManager, id: string, flags: Flags): Promise<Waited> {
  const conditions = conditionsFrom(flags);
  const isForMore = Object.keys(conditions).some((key) => key !== 'fromOffset');
  const result = await untilAny(manager, id, conditions, flags.timeout ?? Infinity);
  if (isForMore) return { result, tell: () => reportResult(manager, id, result, flags) };
  const detail = await manager.get(id);
  return { result: detail, tell: () => reportEnd(detail, result) };
}

/** Omits conditions that were not given. */
function conditionsFrom({ text, regex, idle, input, port, command, from }: Flags): Conditions {
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

/** Waits repeatedly, because the duration of each wait is limited. Each wait continues where the previous one ended. */
async function untilAny(
  manager: TerminalManager,
  id: string,
  conditions: Conditions,
  timeoutMs: number,
): Promise<WaitResult> {
  const end = performance.now() + timeoutMs;
  let from = conditions.fromOffset;
  let skipped = 0;
  for (;;) {
    const leftMs = Math.max(0, Math.ceil(end - performance.now()));
    const where = from === undefined ? {} : { fromOffset: from };
    const result = await manager.wait(id, {
      ...conditions,
      ...where,
      timeoutMs: Math.min(leftMs, MAX_EXEC_TIMEOUT_MS),
    });
    skipped += result.skippedBytes;
    if (result.reason !== 'timeout' || performance.now() >= end) return { ...result, skippedBytes: skipped };
    from = result.offset;
  }
}

/** Reports how the wait ended. Returns the exit code of the program, or `TIMED_OUT` if it is still running. */
function reportEnd(detail: TerminalDetail, { reason }: WaitResult): number {
  const isEnded = reason === 'exit';
  printMessage(describeState(detail, isEnded));
  return isEnded ? exitCodeOfProgram(detail) : TIMED_OUT;
}

function describeState({ id, status, exitCode, signal, endedBy }: TerminalDetail, isEnded: boolean): string {
  const terminal = `terminal ${shortId(id)}`;
  if (!isEnded) return `${terminal} is still running`;
  if (status === 'lost') return `${terminal} is lost: it is not known how its program ended`;
  return `${terminal} has ended: ${describeEnd({ exitCode, signal })}${endedBy === null ? '' : describeEndReason(endedBy)}`;
}

/**
 * Reports how a wait for conditions other than the program's end alone has ended. Passes on the exit code of a command.
 * The end of the program counts as a failure unless it was one of the conditions.
 */
async function reportResult(manager: TerminalManager, id: string, result: WaitResult, flags: Flags): Promise<number> {
  const { reason } = result;
  if (result.skippedBytes > 0) printMessage(`${result.skippedBytes} bytes were dropped before they could be searched`);
  if (reason === 'exit') return reportEarlyEnd(await manager.get(id), result, flags);
  if (reason === 'command') return reportCommandEnd(manager, id, flags.command!);
  if (result.port !== null && !flags.json) await print(`${result.port}\n`);
  printMessage(
    reason === 'timeout'
      ? `terminal ${shortId(id)}: the timeout expired before the condition was met`
      : describeResult(id, result),
  );
  return reason === 'timeout' ? TIMED_OUT : OK;
}

function reportEarlyEnd(detail: TerminalDetail, { exitCode, signal }: WaitResult, { exit }: Flags): number {
  printMessage(describeState(detail, true));
  return exit ? exitCodeOfProgram({ exitCode, signal }) : FAILED;
}

async function reportCommandEnd(manager: TerminalManager, id: string, commandId: number): Promise<number> {
  const command = await manager.command(id, commandId);
  if (command.state === 'lost') {
    printMessage(describeLostCommand(id, commandId));
    return FAILED;
  }
  printMessage(`command ${commandId} of terminal ${shortId(id)} has ended: ${describeEnd(command)}`);
  return exitCodeOfProgram(command);
}

function describeResult(id: string, { reason, match, port, waiting, offset }: WaitResult): string {
  const terminal = `terminal ${shortId(id)}`;
  if (match !== null) return `${terminal} printed a match, up to offset ${offset}: ${printable(match.line)}`;
  if (port !== null) return `${terminal} is listening on port ${port}`;
  if (waiting !== null) return `${terminal}: ${waiting.by} is waiting for input (${waiting.kind})`;
  return reason === 'idle' ? `${terminal} is quiet` : `${terminal}: ${reason}`;
}
