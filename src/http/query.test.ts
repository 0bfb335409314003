import { z } from 'zod';
import { readQuery } from './query.js';

const schema = z.strictObject({
  since: z.int().optional(),
  keep: z.boolean().default(false),
  mode: z.enum(['full', 'tail']).default('full'),
  label: z.array(z.string()).optional(),
});
const read = (query: string) => readQuery(query, schema);

it('converts values as the schema requires, and leaves the rest as text', () => {
  expect(read('since=10&keep=true&mode=tail&other=7')).toEqual({ since: 10, keep: true, mode: 'tail', other: '7' });
  expect(read('keep=false')).toEqual({ keep: false });
});

it('decodes percent-encoding and plus signs, also in names', () => {
  expect(read('mo%64e=a%20b+c%2B&x%3Dy=z')).toEqual({ mode: 'a b c+', 'x=y': 'z' });
});

it('accepts only plain decimal digits as a number', () => {
  for (const text of ['1e3', '0x10', '1.0', '%201', '1%20', '+1', '１', 'Infinity', '1234567890123456']) {
    expect(typeof read(`since=${encodeURI(text)}`)['since']).toBe('string');
  }
  expect(read('since=-5')).toEqual({ since: -5 });
  expect(read('since=007')).toEqual({ since: 7 });
});

it('accepts repeated parameters as a list, in order', () => {
  expect(read('label=b%3D1&since=2&lab%65l=a=2')).toEqual({ label: ['b=1', 'a=2'], since: 2 });
  expect(read('label=10')).toEqual({ label: ['10'] });
});

it('ignores empty parts', () => {
  expect(read('')).toEqual({});
  expect(read('&&since=1&')).toEqual({ since: 1 });
});

it.each([
  ['since=1&since=1', 'query.since: is given more than once'],
  ['since=1&sinc%65=2', 'query.since: is given more than once'],
  ['mode=', 'query.mode: has no value'],
  ['mode', 'query.mode: has no value'],
  ['mode=%zz', 'query: is not correctly percent-encoded'],
])('refuses %s', (query, message) => {
  expect(() => read(query)).toThrow(message);
});

it('passes a parameter named __proto__ to the schema, which refuses it', () => {
  expect(Object.keys(read('__proto__=1'))).toEqual(['__proto__']);
});
