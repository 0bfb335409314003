/**
 * A program that is run by itself, without a shell, and waited for. It knows the manager by its interface, and no door.
 */
import { check } from '../check.js';
import type { WaitFor, WaitResult } from '../contract/command.js';
import type { TerminalManager, WaitOptions } from '../contract/manager.js';
import { runProgram as schema } from '../contract/program.js';
import type { ProgramResult, RunProgram } from '../contract/program.js';
import { TerminalError } from '../errors.js';

/**
 * Runs a program in a new terminal, which stays, and waits for its end, for a question it asks, or until time is up: then
 * it goes on.
 *
 * @throws As `TerminalManager.create`, `wait` and `read`.
 */
export async function runProgram(
  manager: TerminalManager,
  request: RunProgram,
  options: WaitOptions = {},
): Promise<ProgramResult> {
  const { command, args, cwd, env, cols, rows, history, timeoutMs, untilInput, ...shown } = check('', schema, request);
  const { id } = await manager.create({ command, args, cwd, env, cols, rows, history });
  const { waiting } = await untilDone(manager, id, { timeoutMs, input: untilInput }, options);
  const { created, ended } = await manager.get(id);
  const { output, exitCode, signal, isActive, truncated, totalLines, nextReadFrom, cursor, hasMore, stats } =
    await manager.read(id, shown);
  return {
    ...{ terminalId: id, output, exitCode, signal },
    durationMs: (ended === null ? Date.now() : Date.parse(ended)) - Date.parse(created),
    completed: !isActive,
    state: isActive ? (waiting === null ? 'running' : 'waiting') : 'completed',
    waiting: isActive ? waiting : null,
    ...{ truncated, totalLines, totalBytes: stats.totalBytes, nextReadFrom, cursor, hasMore },
  };
}

/** Where the system does not tell who waits for input, only the end counts. */
async function untilDone(
  manager: TerminalManager,
  id: string,
  asked: WaitFor,
  options: WaitOptions,
): Promise<WaitResult> {
  try {
    return await manager.wait(id, asked, options);
  } catch (error) {
    if (!(error instanceof TerminalError) || error.code !== 'UNSUPPORTED_PLATFORM') throw error;
    return manager.wait(id, { ...asked, input: false }, options);
  }
}
