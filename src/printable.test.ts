import { printable, printableJson, printableLines } from './printable.js';

describe('text for a terminal', () => {
  it.each([
    ['escape sequences', '\x1b]0;title\x07', '?]0;title?'],
    ['controls of one byte beyond ASCII', 'a\u009b31m\u009d0;t\u009c', 'a?31m?0;t?'],
    ['DEL and backspace', 'a\x7f\b', 'a??'],
    ['what turns text', 'a\u202eb\u2066c', 'a?b?c'],
    ['what has no width', 'a\u200bb\u00adc', 'a?b?c'],
    ['half of a pair', 'a\ud800b', 'a?b'],
    ['line endings', 'a\r\nb', 'a??b'],
  ])('contains no %s', (_what, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('keeps letters, combining marks and symbols of all scripts', () => {
    const text = 'née e\u0301 ß 漢字 — “…” 🙂';
    expect(printable(text)).toBe(text);
  });

  it('keeps line endings where several lines are allowed', () => {
    expect(printableLines('Error: a\x1b[31m\n  at b\r\n')).toBe('Error: a?[31m\n  at b?\n');
  });
});

it('is JSON in which no character takes effect, with the same value', () => {
  const value = { 'a\u009b31m': ['\x1b[31m', '\x7f\u2028é'] };
  for (const indent of [0, 2]) {
    const json = printableJson(value, indent);
    expect(json).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028]/);
    expect(JSON.parse(json)).toEqual(value);
  }
});
