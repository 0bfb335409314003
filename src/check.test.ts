import { z } from 'zod';
import type { TerminalError } from './errors.js';
import { check } from './check.js';

/** Returns the issues of the error that checking `value` throws. */
function issues(schema: z.ZodType, value: unknown, place: 'body' | 'query' | 'path' = 'body') {
  try {
    check(place, schema, value);
  } catch (error) {
    return (error as TerminalError).details['issues'];
  }
  throw new Error('It was let through');
}

it('returns the value with its defaults', () => {
  expect(check('body', z.strictObject({ cols: z.int().default(80) }), {})).toEqual({ cols: 80 });
});

it.each([
  ['a wrong type', z.strictObject({ a: z.int() }), { a: 'x' }, 'body.a', 'expected a number, given "x"'],
  ['nothing', z.strictObject({ a: z.string() }), {}, 'body.a', 'expected a string, given nothing'],
  ['a fraction', z.strictObject({ a: z.int() }), { a: 1.5 }, 'body.a', 'expected a whole number, given 1.5'],
  ['a small number', z.strictObject({ a: z.int().min(2) }), { a: 1 }, 'body.a', 'expected at least 2, given 1'],
  [
    'a long text',
    z.strictObject({ a: z.string().max(2) }),
    { a: 'xyz' },
    'body.a',
    'expected at most 2 characters, given "xyz"',
  ],
  [
    'a short list',
    z.strictObject({ a: z.array(z.int()).min(2) }),
    { a: [1] },
    'body.a',
    'expected at least 2 items, given an array of 1',
  ],
  ['another word', z.strictObject({ a: z.enum(['x', 'y']) }), { a: 'z' }, 'body.a', 'expected one of x, y, given "z"'],
  [
    'a wrong item',
    z.strictObject({ a: z.array(z.string()) }),
    { a: ['x', {}] },
    'body.a.1',
    'expected a string, given an object',
  ],
  [
    'an unknown nested field',
    z.strictObject({ a: z.strictObject({ colour: z.string().optional() }).optional() }),
    { a: { color: 'red' } },
    'body.a.color',
    'is unknown; expected one of colour. Did you mean colour?',
  ],
  ['a list for an object', z.strictObject({}), [], 'body', 'expected an object, given an array of 0'],
  ['null for an object', z.strictObject({}), null, 'body', 'expected an object, given null'],
  [
    'an invalid key',
    z.record(z.string().regex(/^a/, { error: 'a word that begins with a' }), z.int()),
    { b: 1 },
    'body.b',
    'expected a word that begins with a, given "b"',
  ],
])('describes the problem with %s', (_what, schema, value, field, message) => {
  expect(issues(schema, value)).toEqual([expect.objectContaining({ field, message })]);
});

it('names each unknown field and the field that was probably meant', () => {
  const schema = z.strictObject({ command: z.string().optional(), cwd: z.string().optional() });
  expect(issues(schema, { comand: 'ls', zzzzzzzz: 1 })).toEqual([
    expect.objectContaining({ field: 'body.comand', message: expect.stringContaining('Did you mean command?') }),
    expect.objectContaining({ field: 'body.zzzzzzzz', message: 'is unknown; expected one of command, cwd.' }),
  ]);
});

it('requires plain digits in a query', () => {
  const [issue] = issues(z.strictObject({ a: z.int() }), { a: '1e3' }, 'query') as [{ message: string }];
  expect(issue.message).toBe('expected a whole number in plain decimal digits, given "1e3"');
});

it('returns only a short part of what was given', () => {
  const huge = 'x'.repeat(100_000);
  const found = issues(z.strictObject({ a: z.int() }), { a: huge, [huge]: huge });
  expect(JSON.stringify(found).length).toBeLessThan(1500);
});

it('names at most ten issues', () => {
  const many = Array.from({ length: 1000 }, () => 'no number');
  expect(issues(z.strictObject({ a: z.array(z.int()) }), { a: many })).toHaveLength(10);
});

/** Properties that every object has, whatever its schema. zod skips `__proto__`. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__');

it.each(INHERITED)('describes the problem of a field named %s', (name) => {
  const schema = z.strictObject({ env: z.record(z.string(), z.string()).optional(), a: z.int() });
  const given = JSON.parse(`{"a":1,"env":{"${name}":null},"${name}":1}`) as unknown;
  expect(issues(schema, given)).toEqual(expect.arrayContaining([expect.objectContaining({ field: `body.${name}` })]));
  expect(issues(schema, { a: 1, env: Object.fromEntries([[name, null]]) })).toHaveLength(1);
});

describe('a value with more keys and entries than the limit', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
  const refusal = [expect.objectContaining({ field: 'body', expected: 'at most 20000 keys and entries in total' })];

  it.each([
    ['unknown fields', z.strictObject({}), keys(20_001)],
    ['an inner object', z.strictObject({ env: z.record(z.string(), z.string()) }), { env: keys(20_000) }],
    ['a list', z.strictObject({ args: z.array(z.string()) }), { args: Array.from({ length: 20_000 }, () => 1) }],
    ['many lists', z.unknown(), Array.from({ length: 200 }, () => Array.from({ length: 100 }, () => 1))],
  ])('is refused as a whole: %s', (_what, schema, value) => {
    expect(issues(schema, value)).toEqual(refusal);
  });

  it('is refused if it is nested deeply or refers to itself', () => {
    const loop: Record<string, unknown> = {};
    loop['a'] = loop;
    expect(issues(z.unknown(), loop)).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/too deep/) }),
    ]);
  });

  it('is reported field by field up to the limit, at most ten of them', () => {
    expect(issues(z.strictObject({}), keys(20_000))).toHaveLength(10);
  });
});

it('repeats no value of a field that may be a password', () => {
  const secret = z.strictObject({ a: z.array(z.string().max(2)).optional().meta({ writeOnly: true }) });
  for (const a of ['hunter2', ['hunter2']]) expect(JSON.stringify(issues(secret, { a }))).not.toContain('hunter');
});
