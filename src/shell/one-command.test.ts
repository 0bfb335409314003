/** Tests when a terminal for one command is over, without a terminal. */
import { CommandLog } from './command-log.js';
import { oneCommandIsOver } from './one-command.js';
import type { OneCommandTerminal } from './one-command.js';
import { Waiters } from '../wait/waiters.js';

const MINUTE_MS = 60_000;

function terminalOf(log: CommandLog, waiters: Waiters) {
  const commands = { isStarting: false };
  const nextChange = (signal?: AbortSignal): Promise<void> => waiters.next(signal);
  return { log, commands, isActive: true, isHandedOff: false, nextChange } satisfies OneCommandTerminal;
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('is over one minute after its creation if no command was run', async () => {
  const over = oneCommandIsOver(terminalOf(new CommandLog(), new Waiters()));
  await jest.advanceTimersByTimeAsync(MINUTE_MS + 1);
  expect(await over).toBe(true);
});

it('is not over while a caller waits for its shell to take the command', async () => {
  const terminal = { ...terminalOf(new CommandLog(), new Waiters()), commands: { isStarting: true } };
  const onOver = jest.fn();
  void oneCommandIsOver(terminal).then(onOver);
  await jest.advanceTimersByTimeAsync(3 * MINUTE_MS);
  expect(onOver).not.toHaveBeenCalled();
});

it('is left to the process that takes over the terminal', async () => {
  const waiters = new Waiters();
  const terminal = terminalOf(new CommandLog(), waiters);
  const over = oneCommandIsOver(terminal);
  (terminal as { isHandedOff: boolean }).isHandedOff = true;
  waiters.wake();
  expect(await over).toBe(false);
});
