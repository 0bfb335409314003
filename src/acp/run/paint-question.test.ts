/** A person who is asked sees all of it, and nothing in it is obeyed. */
import fc from 'fast-check';
import { inkOf } from './ink.js';
import { questionLines, unseenChars } from './paint-question.js';

const OPTIONS = [
  { optionId: 'a', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'b', name: 'Refuse', kind: 'reject_once' },
];
const asked = (text: string, more: object = {}) => ({
  ...{ toolCallId: '', title: 'Run it', options: OPTIONS },
  command: { text, cwd: '/srv/project', env: {}, reason: 'ask: npm publish **', ...more },
});
const linesOf = (question: Parameters<typeof questionLines>[0]) => questionLines(question, inkOf(false));

it('shows what is to be run, whole, with where, with what and why', () => {
  const line = `true; ${'echo a; '.repeat(60)}npm publish --evil`;
  expect(linesOf(asked(`${line}\n\x1b[2K2 Refuse`, { env: { A: 'b\nc' } }))).toEqual([
    ...['? Run this?', `  │ ${line}`, '  │ ␛[2K2 Refuse', '  in /srv/project', '  with A=b', '  with c'],
    ...['  because of ask: npm publish **', '  1 Allow once', '  2 Refuse'],
  ]);
});

it('shows what an agent asks, whole', () => {
  const title = 'x'.repeat(300);
  expect(linesOf({ toolCallId: '', title, options: [] })).toEqual([`? ${title}`]);
  expect(linesOf({ toolCallId: '', title: 'a\nb', options: [] })).toEqual(['? Allow this?', '  │ a', '  │ b']);
});

it('shows what a tool is to be given, which tells more than its name', () => {
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

it('lets nobody allow a command that could not be shown whole', () => {
  const question = { toolCallId: 'a', title: 'Bash', options: OPTIONS };
  expect(unseenChars({ ...question, rawInput: { command: `${'true; '.repeat(4000)}rm -rf /` } })).toBeGreaterThan(0);
  expect(unseenChars({ ...question, rawInput: { path: '/a', content: 'x'.repeat(30_000) } })).toBe(0);
});

it('shows every line, or says how much it does not show', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.nat(30_000).map((length) => 'y'.repeat(length)),
    fc.nat(500).map((count) => 'z\n'.repeat(count)),
  );
  const question = fc.record({ text, env: fc.dictionary(fc.string(), text, { maxKeys: 3 }), reason: text });
  fc.assert(
    fc.property(question, ({ text: command, ...more }) => {
      const lines = linesOf(asked(command, more));
      const all = [command, ...Object.values(more.env), more.reason].join('').length;
      expect(lines.join('\n')).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
      const isWhole = unseenChars(asked(command, more)) === 0;
      expect(lines.some((line) => /^ {2}\d+ more characters are not shown$/.test(line))).toBe(!isWhole);
      if (all > 21_000) expect(isWhole).toBe(false);
      if (isWhole) expect(lines.join('').length).toBeGreaterThan(0.9 * command.replace(/\r/g, '').length);
      expect(lines.slice(-2)).toEqual(['  1 Allow once', '  2 Refuse']);
    }),
  );
});
