import fc from 'fast-check';
import { ModeTracker } from './mode-tracker.js';

function restorationAfter(...pieces: string[]): string {
  const modes = new ModeTracker();
  for (const piece of pieces) modes.note(Buffer.from(piece));
  return modes.restoration();
}
const NOTHING = restorationAfter('');

it.each([
  ['\x1b[?1000h', '\x1b[?1000l'],
  ['\x1b[?1002;1006h', '\x1b[?1002l\x1b[?1006l'],
  ['\x1b[?25l', '\x1b[?25h'],
  ['\x1b[?7l', '\x1b[?7h'],
  ['\x1b[4h', '\x1b[4l'],
  ['\x1b=', '\x1b>'],
  ['\x1b[3;9r', '\x1b[r'],
  ['\x1b[5 q', '\x1b[0 q'],
  ['\x1b[>4;2m', '\x1b[>4;0m'],
  ['\x1b]11;#ffffff\x07', '\x1b]111\x1b\\'],
  ['\x1b[>1u\x1b[>3u', '\x1b[<2u'],
])('undoes %j', (on, off) => {
  expect(restorationAfter(on)).toContain(off);
  expect(NOTHING).not.toContain(off);
});

it.each([
  '\x1b[?2004h text \x1b[?2004l',
  '\x1b[?25l\x1b[?25h',
  '\x1b[>1u\x1b[<u',
  '\x1b[?1049h\x1b[?1000h\x1bc',
  '\x1b[1;31m',
])('has nothing to undo after %j', (text) => expect(restorationAfter(text)).toBe(NOTHING));

it('leaves the alternate screen last, after undoing what each screen pushed', () => {
  const restoration = restorationAfter('\x1b[>1u\x1b[?1049h\x1b[>1u\x1b[>1u\x1b[?1000h');
  expect(restoration).toMatch(/\x1b\[\?1000l[^]*\x1b\[<2u\x1b\[\?1049l\x1b\[<1u$/);
});

it('gives the same result however the output is split', () => {
  const text = 'a\x1b[?1000;1006h\x1b[>1ué\x1b]10;red\x1b\\\x1b(0\x1b[?1049h\x1b[2;5r\x1b[4 q';
  const whole = restorationAfter(text);
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), text.length];
      expect(restorationAfter(...at.slice(1).map((end, index) => text.slice(at[index], end)))).toBe(whole);
    }),
  );
});
