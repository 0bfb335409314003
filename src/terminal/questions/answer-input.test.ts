import { answerInput } from './answer-input.js';

it.each([
  ['line', 'yes', 'yes\r'],
  ['line', 'yes\n', 'yes\r'],
  ['line', '', '\r'],
  ['line', 'a\r\nb', 'a\rb\r'],
  ['line', 'tab\t', 'tab\t\r'],
  ['password', 'p', 'p\r'],
  ['unknown', 'u\r', 'u\r'],
  ['key', 'y', 'y'],
  ['program', ':q!\n', ':q!\r'],
] as const)('for a %s: %j types %j', (kind, text, input) => {
  expect(answerInput({ text }, kind)).toEqual({ input, raw: true });
});

it('types keys as they are', () => {
  expect(answerInput({ keys: ['ctrl-d'] }, 'line')).toEqual({ keys: ['ctrl-d'] });
});

it('refuses to type nothing', () => {
  expect(() => answerInput({ text: '' }, 'key')).toThrow(/is empty/);
});
