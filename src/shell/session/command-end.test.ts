/** Tests which end of a command counts if the prompt reports several. */
import { laterEnd } from './command-end.js';
import type { CommandEnd } from './effects.js';

const end = (exitCode: number): CommandEnd => ({ exitCode, directory: '/d', via: 'prompt' });

it.each([
  ['the only one', null, false, 130],
  ['the later one, if no line was entered in between', end(130), false, 0],
  ['either, if both are the same', end(0), true, 0],
])('counts %s', (_which, earlier, hasEntered, exitCode) => {
  const later = end(earlier === null ? 130 : 0);
  expect(laterEnd(earlier, later, hasEntered)).toEqual(end(exitCode));
});

it('does not know which one counts if a line was entered in between: it may be that of the line', () => {
  expect(laterEnd(end(130), end(0), true)).toEqual({ exitCode: null, directory: '/d', via: 'kernel' });
});
