/** Tests that a typed text arrives unchanged, in lines that no terminal truncates and no line editor takes for keys. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { innerScript } from './inner-script.js';
import type { TrackedKind } from '../shells.js';
import { kindOfRequester, openingLine, typedLines, withoutComments } from './typed-script.js';

const KINDS: readonly TrackedKind[] = ['bash', 'zsh', 'sh', 'python', 'node'];
/** Contains characters that may confuse terminals, shells or this code. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('.', '\n', '\t', '\\', '\\0', '!', "'", '"', '%', '\x7f', '\x03', 'é', '漢', '😀', 'a'))
    .map((all) => all.join('')),
  fc.nat(3000).map((length) => 'x'.repeat(length)),
);

/** In every shell, one word that begins with an unusual character, with no character that a shell evaluates. */
const ONE_UNKNOWN_WORD = /^(?:\\0[0-7]{3}[A-Za-z0-9\\]*|,[A-Za-z0-9+/=]+|\.)\n$/;

/** Joins the lines as the far end does; see the scripts. */
function taken(kind: TrackedKind, lines: readonly string[]): string {
  const carried = lines.slice(0, -1).join('').replaceAll('\n', '');
  if (kind === 'python' || kind === 'node') return Buffer.from(carried, 'base64').toString('utf8');
  const bytes = carried.replace(/\\0([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

describe.each(KINDS)('a text typed to %s', (kind) => {
  it('arrives unchanged, in short lines that no shell evaluates, with a dot at their end and nowhere else', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const lines = typedLines(kind, whole);
        expect(lines.every((line) => line.length <= 701 && ONE_UNKNOWN_WORD.test(line))).toBe(true);
        expect(lines.flatMap((line, at) => (line === '.\n' ? [at] : []))).toEqual([lines.length - 1]);
        // An unpaired surrogate is not valid in UTF-8.
        expect(taken(kind, lines)).toBe(Buffer.from(whole, 'utf8').toString('utf8'));
      }),
    );
  });
});

it('is assembled by printf as expected here', () => {
  const whole = `a\\b\n\t"é漢" 100% '$x' !! ${'.'.repeat(1400)}`;
  const carried = typedLines('sh', whole).slice(0, -1).join('').replaceAll('\n', '');
  expect(execFileSync('/bin/sh', ['-c', 'printf %b "$1"', '-', carried], { encoding: 'utf8' })).toBe(whole);
});

describe.each(['sh', 'python', 'node'] as const)('the opening line for %s', (opening) => {
  it('fits any terminal, is one line, and contains the nonce', () => {
    const line = openingLine(opening, 'n0nce');
    expect(line).toMatch(/^[\x20-\x7e]{1,700}\r$/);
    expect(line).toContain('n0nce');
  });
});

it('the requesting program is recognised', () => {
  expect(['bash', 'zsh', 'python', 'node', '', 'ksh'].map(kindOfRequester)).toEqual([
    ...['bash', 'zsh', 'python', 'node'],
    ...['sh', 'sh'],
  ]);
});

describe.each(KINDS)('the integration typed to %s', (kind) => {
  it('contains the nonce, leaves no placeholder, and reads no file', () => {
    const script = withoutComments(innerScript(kind, 'n0nce', null));
    expect(script).toContain('n0nce');
    expect(script).not.toMatch(/@[A-Z]+@/);
    expect(script).not.toMatch(/^\s*(#|\/\/)/m);
  });
});
