/** Runs a program without a shell and waits for it. Uses the manager interface and does not depend on the API layer. */
import { check } from '../check.js';
import type { WaitResult } from '../contract/command.js';
import type { TerminalManager, WaitOptions } from '../contract/manager.js';
import { NO_OUTPUT } from '../contract/output.js';
import { commandPartOf } from '../contract/output-part.js';
import { runProgram as schema } from '../contract/program.js';
import type { ProgramEvent, ProgramRequest, ProgramResult, RunProgram } from '../contract/program.js';
import type { CreateTerminal } from '../contract/terminal.js';
import { follow, refusePartialOutput } from './follow.js';
import { runningMs } from './running-time.js';
import { waitIfAllowed, waitWithFallback } from './wait-with-fallback.js';

/**
 * Runs a program in a new terminal, which remains afterwards. Waits until the program ends or asks for input, or until
 * the timeout expires. Does not wait if too many requests are already waiting. The program keeps running if the call
 * returns before it has ended.
 *
 * @throws The same errors as `TerminalManager.create` and `read`.
 */
export async function runProgram(
  manager: TerminalManager,
  request: RunProgram,
  options: WaitOptions = {},
): Promise<ProgramResult> {
  const requested = check('', schema, request);
  return outcomeOf(manager, await begin(manager, requested, options), requested, options);
}

/**
 * Runs a program as `runProgram` does, and yields its events: `started`, `output` as it arrives, and `result` when the
 * program ends or asks for input, or when the timeout expires. Returning from the iterator ends the wait, but never the
 * program.
 *
 * @param request - Of the parameters that select output, only `format` is allowed, because all output is streamed.
 * @throws The same errors as `TerminalManager.create` before the first event, and the same errors as `wait` and `read`
 * after it.
 */
export async function* followProgram(
  manager: TerminalManager,
  request: RunProgram,
  options: WaitOptions = {},
): AsyncGenerator<ProgramEvent> {
  const requested = check('', schema, request);
  refusePartialOutput(requested);
  const id = await begin(manager, requested, options);
  yield* follow(
    {
      started: { terminalId: id },
      outcome: (end) => outcomeOf(manager, id, { ...requested, ...NO_OUTPUT }, { signal: end }),
      read: (page, end) => manager.read(id, page, { signal: end }),
    },
    { format: requested.format },
    options.signal,
  );
}

/** Starts the program. Resolves to the id of its terminal. */
async function begin(
  manager: TerminalManager,
  { command, args, cwd, env, cols, rows, history, name, timeLimitMs }: ProgramRequest,
  options: WaitOptions,
): Promise<string> {
  const { id } = await manager.create({ command, args, cwd, env, cols, rows, history, name, timeLimitMs }, options);
  return id;
}

async function outcomeOf(
  manager: TerminalManager,
  id: string,
  { timeoutMs, untilInput, ...requested }: Omit<ProgramRequest, keyof CreateTerminal>,
  options: WaitOptions,
): Promise<ProgramResult> {
  const wait = waitWithFallback(manager, id, { timeoutMs, input: untilInput }, options);
  const { waiting } = await waitIfAllowed<Pick<WaitResult, 'waiting'>>(wait, async () => ({ waiting: null }));
  const detail = await manager.get(id);
  const { timeLimitMs } = detail;
  const isLimited = detail.endedBy?.reason === 'time_limit' && timeLimitMs !== null;
  const isLost = detail.status === 'lost';
  const page = await manager.read(id, { ...commandPartOf(requested), format: requested.format });
  const { output, exitCode, signal, isActive, truncated, cutBy, totalLines, nextReadFrom, cursor, hasMore, stats } =
    page;
  return {
    ...{ terminalId: id, output, exitCode, signal, durationMs: runningMs(detail) },
    ...(isLimited && { timeLimitMs }),
    completed: !isActive && !isLost,
    state: isActive ? (waiting === null ? 'running' : 'waiting') : isLost ? 'lost' : 'completed',
    waiting: isActive ? waiting : null,
    ...{
      truncated,
      linesOmitted: stats.linesOmitted,
      cutBy,
      totalLines,
      totalBytes: stats.totalBytes,
      nextReadFrom,
      cursor,
      hasMore,
    },
  };
}
