import fc from 'fast-check';
import { parseJson } from './json.js';

const DEEPEST = 16;
const MOST = 20_000;

/** Excludes properties named `__proto__`; the depth stays under the limit. */
const value = fc.jsonValue({ maxDepth: 5 }).filter((each) => !JSON.stringify(each).includes('__proto__'));

it('parses what JSON.stringify writes, indented or not', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 2, '\t'), (each, indent) => {
      const text = JSON.stringify(each, null, indent);
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

it('refuses any text that is not JSON as invalid input', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      } catch (error) {
        expect(error).toMatchObject({ code: 'INVALID_INPUT' });
      }
    }),
  );
});

it('refuses any object with a duplicate key, however the key is written', () => {
  const spelling = fc.constantFrom(
    (key: string) => JSON.stringify(key),
    (key: string) => `"${[...key].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
  );
  const key = fc.string({ unit: 'grapheme-ascii', minLength: 1 }).filter((each) => each !== '__proto__');
  fc.assert(
    fc.property(key, spelling, spelling, value, (name, first, second, between) => {
      const text = `{${first(name)}: ${JSON.stringify(between)}, ${second(name)} : 1}`;
      expect(() => parseJson(text)).toThrow(/twice in one object/);
    }),
  );
});

it('accepts the same key in two objects, and as a value', () => {
  expect(parseJson('{"a":{"a":"a"},"b":[{"a":1},{"a":2}]}')).toEqual({ a: { a: 'a' }, b: [{ a: 1 }, { a: 2 }] });
});

it('accepts quotes, brackets and colons within strings', () => {
  const tricky = { 'a"]}:': 'x\\', 'b\\\\': '"{[', c: ['\\"', ':'] };
  expect(parseJson(JSON.stringify(tricky))).toEqual(tricky);
});

it('limits the nesting depth', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(() => parseJson(nested(DEEPEST))).not.toThrow();
  expect(() => parseJson(nested(DEEPEST + 1))).toThrow(/nested too deep/);
});

it.each([
  ['keys', (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join()}}`],
  ['entries', (count: number) => `[${'1,'.repeat(count - 1)}1]`],
])('limits the number of %s', (_what, text) => {
  expect(() => parseJson(text(MOST))).not.toThrow();
  expect(() => parseJson(text(MOST + 1))).toThrow(/at most 20000 keys and entries/);
});

it.each(['{"a": hunter2}', '{"a":"b" hunter2}', '{"a":"b"} hunter2', 'hunter2', '{"hunter2'])(
  'does not repeat the text that it refuses: %s',
  (text) =>
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ message: expect.not.stringContaining('unter2') })),
);

it('counts lists and objects, although text that is not JSON needs no commas between them', () => {
  for (const empty of ['[]', '{}', '[[]'])
    expect(() => parseJson(empty.repeat(MOST + 1))).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  expect(() => parseJson('[]'.repeat(MOST + 1))).toThrow(/too many/);
});
