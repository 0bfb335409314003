/** Whatever its name, a text is kept or refused, never lost. */
import fc from 'fast-check';
import { z } from 'zod';
import { createTerminal, listTerminals } from './terminal.js';
import { stringRecord } from './string-record.js';

const texts = stringRecord(z.string(), z.string());
const names = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty'));

it('accepts or refuses each name', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.string())), (pairs) => {
      const given = Object.fromEntries(pairs);
      const { success, data } = texts.safeParse(given);
      expect(success).toBe(!Object.hasOwn(given, '__proto__'));
      if (success) expect(Object.entries(data)).toEqual(Object.entries(given));
    }),
  );
});

it('names the invalid variable or label', () => {
  const named = Object.fromEntries([['__proto__', 'x']]);
  const message = 'expected a name other than __proto__';
  for (const [path, result] of [
    [['env', '__proto__'], createTerminal.safeParse({ env: named })],
    [['labels', '__proto__'], createTerminal.safeParse({ labels: named })],
    [['labels', '__proto__'], listTerminals.safeParse({ labels: named })],
  ] as const) {
    expect(result.error?.issues).toEqual([expect.objectContaining({ path, message })]);
  }
});

it('refuses values that are not objects', () => {
  for (const given of [null, 'x', 1, []]) expect(texts.safeParse(given).success).toBe(false);
});
