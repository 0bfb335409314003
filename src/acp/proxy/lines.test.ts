/** Compares lines and their parts with a straightforward parse of the same bytes. */
import fc from 'fast-check';
import { elementsOf, membersOf } from './json-members.js';
import { LineSplitter } from './line-splitter.js';
import { Message } from './message.js';

/** JSON with whitespace of any kind between all of its parts. */
const spaced = fc
  .tuple(fc.jsonValue(), fc.constantFrom('', ' ', '\t', '\r '))
  .map(([value, space]) => write(value, space));

function write(value: unknown, space: string): string {
  if (Array.isArray(value))
    return `[${space}${value.map((one) => write(one, space)).join(`${space},${space}`)}${space}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}${space}:${write(one, space)}`);
  return `{${space}${members.join(`${space},${space}`)}${space}}`;
}

const textOf = (bytes: Buffer, { start, end }: { start: number; end: number }) => bytes.toString('utf8', start, end);

describe('the id of a message', () => {
  it('is equal for ids that are equal as JSON, and compared as text if it is not a valid id', () => {
    const keyOfId = (id: string) => Message.read(Buffer.from(`{"id":${id}}`))!.idKey;
    expect(keyOfId('"a\\u0062"')).toBe(keyOfId('"ab"'));
    expect(keyOfId('1')).not.toBe(keyOfId('"1"'));
    expect(keyOfId('{"a":1}')).toBe('{"a":1}');
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(keyOfId(deep)).toBe(deep);
  });
});

describe('the parsed members of a line', () => {
  it('equal those that JSON.parse finds', () => {
    const same = fc.property(spaced, fc.constantFrom('', ' ', '\t'), (json, before) => {
      const bytes = Buffer.from(`${before}${json}`);
      const value = JSON.parse(json) as unknown;
      const members = membersOf(bytes);
      const elements = elementsOf(bytes, 0);
      const isArray = Array.isArray(value);
      expect(members !== undefined).toBe(!isArray && typeof value === 'object' && value !== null);
      expect(elements !== undefined).toBe(isArray);
      const found = [...(members ?? [])].map(([name, span]) => [name, JSON.parse(textOf(bytes, span)) as unknown]);
      if (members !== undefined)
        expect(new Map(found as [string, unknown][])).toEqual(new Map(Object.entries(value as object)));
      if (isArray) expect(elements!.map((span) => JSON.parse(textOf(bytes, span)) as unknown)).toEqual(value);
    });
    fc.assert(same, { numRuns: 500 });
  });

  it('are found without an endless loop in text that is not JSON', () => {
    const broken = fc.tuple(spaced, fc.double({ min: 0, max: 1, noNaN: true }), fc.uint8Array({ maxLength: 4 }));
    const safe = fc.property(broken, ([json, share, garbage]) => {
      const bytes = Buffer.concat([Buffer.from(json.slice(0, Math.floor(share * json.length))), garbage]);
      for (const { start, end } of membersOf(bytes)?.values() ?? []) {
        expect(start < end && end <= bytes.length).toBe(true);
      }
      expect(() => Message.read(bytes)?.isWellFormed).not.toThrow();
    });
    fc.assert(safe, { numRuns: 500 });
  });

  it('include the last of several members with one name, and escaped names', () => {
    const message = Message.read(Buffer.from('{"method":"a","\\u006dethod":"b\\/c"}'))!;
    expect(message.method).toBe('b/c');
  });

  it('are edited as in JSON, and nothing else changes', () => {
    const name = fc.constantFrom('a', 'b', 'é');
    const changes = fc.property(fc.dictionary(name, fc.jsonValue()), name, fc.jsonValue(), (value, member, json) => {
      const message = Message.read(Buffer.from(write(value, ' ')))!;
      const edited = message.edited([message.withMember(member, JSON.stringify(json))!]);
      const expected = { ...value, [member]: JSON.parse(JSON.stringify(json)) as unknown };
      expect(JSON.parse(edited.toString())).toEqual(JSON.parse(JSON.stringify(expected)));
    });
    fc.assert(changes, { numRuns: 200 });
  });
});

describe('lines', () => {
  it('are found wherever the stream is split, and together contain all bytes', () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 12, max: 12 }));
    const cut = fc.property(chunks, fc.integer({ min: 1, max: 20 }), (given, maxBytes) => {
      const splitter = new LineSplitter(maxBytes);
      const pieces = [...given.flatMap((chunk) => splitter.split(Buffer.from(chunk))), ...splitter.end()];
      const all = Buffer.concat(given).toString('latin1');
      expect(pieces.map(({ bytes }) => bytes.toString('latin1')).join('')).toBe(all);
      const whole = pieces.filter(({ isLine }) => isLine).map(({ bytes }) => bytes.toString('latin1'));
      expect(whole).toEqual((all.match(/[^\n]*\n/g) ?? []).filter((line) => line.length <= maxBytes));
      for (const { bytes, isLineEnd } of pieces) expect(isLineEnd).toBe(bytes.at(-1) === 0x0a);
    });
    fc.assert(cut, { numRuns: 500 });
  });
});
