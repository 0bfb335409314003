import fc from 'fast-check';
import { MAX_PROMPT_CHARS } from '../../contract/waiting.js';
import { printable } from '../../printable.js';
import { Prompt } from './prompt.js';

it('is the line without blanks around it', () => {
  expect(new Prompt().of('  Go on? [Y/n]  ', 'line')).toBe('Go on? [Y/n]');
});

it('is never too long, and never ends in half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2 * MAX_PROMPT_CHARS }), (line) => {
      const prompt = new Prompt().of(line, 'key');
      expect(prompt.length).toBeLessThanOrEqual(MAX_PROMPT_CHARS);
      expect(printable(line.trim()).startsWith(prompt)).toBe(true);
      expect(prompt).not.toMatch(/[\uD800-\uDBFF]$/);
      expect(prompt).not.toMatch(/\p{C}/u);
    }),
  );
});

it('contains nothing that reorders or hides it, and is recognised all the same', () => {
  const prompt = new Prompt();
  const line = 'Pass\u202edrow\u200b of \u0007me:';
  const question = {
    id: '1',
    kind: 'line',
    by: 'x',
    certain: true,
    since: '',
    prompt: prompt.of(line, 'line'),
  } as const;
  expect(question.prompt).toBe('Pass?drow? of ?me:');
  prompt.typed(Buffer.from('A'), question);
  expect(prompt.of(`${line} A`, 'line')).toBe(question.prompt);
});

it('leaves out the echo of what was typed since the question, until Enter', () => {
  const prompt = new Prompt();
  const question = { id: '1', kind: 'line', by: 'x', certain: true, since: '', prompt: 'Name?' } as const;
  prompt.typed(Buffer.from('Ad'), question);
  prompt.typed(Buffer.from('a'), null);
  expect(prompt.of('Name? Ada', 'line')).toBe('Name?');
  expect(prompt.of('Other? ', 'line')).toBe('Other?');
  expect(prompt.of('Name? Ada', 'key')).toBe('Name? Ada');
  prompt.typed(Buffer.from('\r'), null);
  expect(prompt.of('Name? Ada. Sure?', 'line')).toBe('Name? Ada. Sure?');
});
