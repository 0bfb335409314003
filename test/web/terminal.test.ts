/** The pure parts of the terminal view: who holds it, the size of its text, and its commands. */
import type { CommandRecord } from '../../src/contract/command.js';
import { asCurl, nextCommand, withCommand } from '../../web/src/terminal/command-list.js';
import { fontSizeFor, fontSizeForHeight, screenFor } from '../../web/src/terminal/font-size.js';
import { afterControl, afterHello, NO_HOLD } from '../../web/src/terminal/hold.js';
import { pastable } from '../../web/src/terminal/paste.js';

describe('the hold', () => {
  const mine = { isAsked: false, since: 't1' };

  test('is that of the first holder after asking', () => {
    expect(afterControl({ isAsked: true, since: null }, 't1')).toEqual(mine);
    expect(afterControl(NO_HOLD, 't1')).toEqual(NO_HOLD);
  });

  test('ends when another one takes it, or nobody has it', () => {
    expect(afterControl(mine, 't2').since).toBeNull();
    expect(afterControl(mine, null).since).toBeNull();
    expect(afterControl(mine, 't1')).toBe(mine);
  });

  test('is asked for again after a loss, unless another one has it', () => {
    expect(afterHello(mine, 't1')).toEqual({ isAsked: true, since: 't1' });
    expect(afterHello(mine, 't2')).toEqual(NO_HOLD);
    expect(afterHello(NO_HOLD, 't2')).toEqual(NO_HOLD);
  });
});

test('the text is as large as fits', () => {
  expect([fontSizeFor(1000, 120, 0.6), fontSizeFor(100, 120, 0.6), fontSizeFor(5000, 80, 0.6)]).toEqual([13.5, 10, 18]);
  expect(screenFor(780, 364, 7.8, 18.2)).toEqual({ cols: 100, rows: 20 });
});

test('the text is smaller if the screen would otherwise be too high, but always readable', () => {
  expect([fontSizeForHeight(600, 40, 13, 18), fontSizeForHeight(100, 40, 13, 18)]).toEqual([10, 10]);
  expect(fontSizeForHeight(700, 40, 13, 18)).toBe(11.5);
});

describe('commands', () => {
  const command = (commandId: number, exitCode: number | null = 0) => ({ commandId, exitCode }) as CommandRecord;
  const all = [command(1), command(2, 1), command(4)];

  test('keep their order', () => {
    expect([3, 4].map((id) => withCommand(all, command(id, 9)).map(({ commandId }) => commandId))).toEqual([
      [1, 2, 3, 4],
      [1, 2, 4],
    ]);
  });

  test('are gone through in both directions', () => {
    expect(nextCommand(all, 1, 1)).toBe(2);
    expect(nextCommand(all, 4, -1, { onlyFailed: true })).toBe(2);
    expect(nextCommand(all, 4, 1)).toBe(4);
    expect(nextCommand([], null, 1)).toBeNull();
  });

  test('are quoted for a shell', () => {
    expect(asCurl('http://h', 'a', `echo 'x'`)).toContain(`-d '{"command":"echo '\\''x'\\''"}'`);
  });
});

test('pasted text keeps its lines and tabs, and loses every other control character', () => {
  expect(pastable('ls\x1b[201~\r\n\ttouch é\x03\x7f\u009b31m\n')).toBe('ls[201~\r\n\ttouch é31m\n');
});
