/**
 * Tests that no quoting hides a program: every program that a real shell runs from a line is found in it, with its
 * arguments, or the line is reported as not understood.
 */
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { analyzeShellLine } from '../../src/access/shell-line/launch-analyzer.js';
import { UNKNOWN_ARGUMENTS, UNKNOWN_ARGUMENT } from '../../src/access/shell-line/line-analysis.js';
import type { Argument } from '../../src/access/shell-line/line-analysis.js';
import { DEEP, runs } from '../deep.js';
import { PROGRAMS, ShellsRun } from './shells-run.js';
import { quoted, understoodLines } from './understood-lines.js';

/** What a line is made of at random: what separates, quotes, nests, and programs. Nothing that runs without end. */
const PIECES = [
  ...[...PROGRAMS, ...PROGRAMS, ' ', ' ', ' ', ' ', ' ', '\n', '\n', ';', '&&', '||', '|', '&', '|&', ';;', '\t', '\r'],
  ...[
    "'",
    "'",
    '"',
    '"',
    '\\',
    '\\',
    "$'",
    '$"',
    '`',
    '`',
    '$(',
    ')',
    '(',
    '$((',
    '))',
    '((',
    '<(',
    '>(',
    '=(',
    '{',
    '}',
  ],
  ...[
    '<<E',
    '<<-E',
    "<<'E'",
    '<<\\E',
    '\nE\n',
    '\n\tE\n',
    'E',
    '<<<',
    '<',
    '>f',
    '>',
    '2>',
    '&>f',
    '>&2',
    '>|',
    '<>',
    '>!',
  ],
  ...[
    '#',
    '!',
    'if ',
    'then ',
    'else ',
    'fi',
    'for x in a ',
    'do ',
    'done',
    'case a in ',
    'a)',
    '*)',
    'esac',
    'f()',
    'f ',
  ],
  ...[
    'function f ',
    '[[ ',
    ' ]]',
    '[',
    ']',
    '*',
    '?',
    '~',
    '=',
    'A=',
    'A+=',
    'A[0]=',
    '$A',
    '${A',
    '${A:-',
    '${A#',
    '"${A:-',
  ],
  ...[
    '$',
    '-',
    '--',
    ',',
    ':',
    '..',
    '%',
    '@',
    '^',
    '+',
    'x',
    '1',
    '\\\n',
    '\\x70',
    '\\160a',
    'time ',
    'coproc ',
    'always ',
  ],
  ...[
    'env ',
    'nohup ',
    'exec ',
    'command ',
    'builtin ',
    'sh -c ',
    'bash -c ',
    'xargs ',
    'timeout 9 ',
    'eval ',
    'x=pa ',
    '$x',
  ],
  ...[
    'printf -v ',
    "'BASH_CMDS[pa]' ",
    'BASH_CMDS[pa]',
    'PATH',
    'jobs -x ',
    'find . -maxdepth 0 -e',
    'xec ',
    'time -- ',
  ],
  ...[
    '-exec ',
    ' \\;',
    'export ',
    '\\export ',
    'unset ',
    'read -a',
    'set -k',
    '-I',
    'RANDOM=',
    'NULLCMD=pa ',
    '{PATH}>f',
  ],
  ...['wait -p ', 'getopts a ', 'mapfile -C pa -c 1 ', 'printf %n ', 'xargs -0 find . ', "'-exec\\0pa\\0;'"],
];
const piece = fc.constantFrom(...PIECES);
const soup = fc.array(piece, { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join(''));

/** Generates valid lines, with a program anywhere; `isPlain` means without what only bash and zsh have. */
function sensible(isPlain: boolean): fc.Arbitrary<string> {
  return fc.letrec<{ line: string; command: string; word: string; program: string }>((tie) => ({
    program: fc.constantFrom(...PROGRAMS).chain((name) => fc.constantFrom(name, ...disguises(name, isPlain))),
    word: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(
        'a',
        "'a b'",
        '"a b"',
        '$x',
        '"$@"',
        '*',
        "';'",
        '"|"',
        '\\;',
        '${x:-a}',
        '{a,b}',
        '#',
        '~',
        '""',
      ),
      tie('line').map((line) => `$( ${line})`),
      tie('line').map((line) => `"a $( ${line}) b"`),
      tie('line').map((line) => (isPlain ? `$( ${line})` : `<( ${line})`)),
      tie('line').map((line) => `\${x:-$( ${line})}`),
      tie('line').map((line) => `\`${line.replace(/[\\`$]/g, '\\$&')}\``),
    ),
    command: fc.oneof(
      { maxDepth: 3 },
      fc.tuple(tie('program'), tie('word')).map((words) => words.join(' ')),
      fc.tuple(fc.constantFrom(...BEFORE), tie('command')).map((words) => words.join(' ')),
      fc.tuple(tie('program'), fc.constantFrom(...BEHIND)).map((words) => words.join(' ')),
      fc.tuple(fc.constantFrom(...RUNNING), tie('program')).map(([make, program]) => make(program)),
      tie('line').map((line) => `( ${line}\n)`),
      tie('line').map((line) => `{ ${line}\n}`),
      fc.tuple(tie('line'), tie('line')).map(([test, line]) => `if ${test}\nthen ${line}\nelse ${line}\nfi`),
      tie('line').map((line) => `for x in a b; do ${line}\ndone`),
      tie('line').map((line) => `case a in b|a) ${line}\n;; (*) pb;; esac`),
      tie('line').map((line) => `f() { ${line}\n}; f`),
      tie('line').map((line) => `cat <<E\n$( ${line})\nE\n`),
      tie('line').map((line) => `sh -c ${quoted(line)}`),
      tie('line').map((line) => (isPlain ? `[ -n "$( ${line})" ]` : `[[ -n "$( ${line})" ]]`)),
    ),
    line: fc.oneof(
      { maxDepth: 3 },
      tie('command'),
      fc.tuple(tie('command'), fc.constantFrom(...BETWEEN), tie('command')).map((parts) => parts.join(' ')),
    ),
  })).line;
}

/** Ways to have something run, or a name mean something else, that are no commands with it in their first place. */
const RUNNING: readonly ((program: string) => string)[] = [
  (program) => `jobs -x ${program}`,
  (program) => `jobs $(echo -x ${program})`,
  (program) => `x=jobs; $x -x ${program}`,
  (program) => `find . -maxdepth 0 -e\${nothing}xec ${program} \\;`,
  (program) => `find . -maxdepth 0 $(echo -exec ${program} \\;)`,
  (program) => `x='-exec'; find . -maxdepth 0 $x ${program} \\;`,
  (program) => `find . -maxdepth 0 -exec env + ${program} \\;`,
  (program) => `printf '%s\\0' -maxdepth 0 -exec ${program} ';' | xargs -0 find .`,
  (program) => `echo ${program} | xargs -I% -n1 env`,
  (program) => `time -- ${program}`,
  (program) => `printf -v 'BASH_CMDS[cat]' "$(command -v pa)"; cat; ${program}`,
  (program) => `x=BASH_CMDS; printf -v "$x[cat]" "$(command -v pb)"; cat; ${program}`,
  (program) => `read 'BASH_CMDS[cat]' <f; cat; ${program}`,
  (program) => `x='path[$(pa)]'; RANDOM=$x; ${program}`,
  (program) => `x='path[$(pb)]'; test -v "$x"; ${program}`,
  (program) => `x='path[$(pa)]'; [ -t "$x" ]; ${program}`,
  (program) => `x='path[$(pb)]'; printf %d "$x"; ${program}`,
  (program) => `x='path[$(pa)]'; export "$x=1"; ${program}`,
  (program) => `x='path[$(pb)]'; set -A "$x" 1; ${program}`,
  (program) => `x='path[$(pc)]'; shift "$x"; ${program}`,
  (program) => `x='path[$(pa)]'; wait "$x"; unset "$x"; ${program}`,
  (program) => `mapfile -C 'pa ' -c 1 x <f; ${program}`,
];
const BEFORE = ['A=1', 'A=', "A='x y'", '>f', '2>f', '!', 'time', 'env', 'exec', 'command', 'nohup', 'timeout 9'];
const BEHIND = ['>f', '2>&1', '<<E\nx\nE\n', '# c\n', '>>f <f', '<<\\E >f\n$(\nE\n', "<<-'E'\n\tE\n", '\\\n a'];
const BETWEEN = [';', '&&', '||', '|', '\n', '&', ' ;\n', '|\n', '&&\n'];

function disguises(name: string, isPlain: boolean): string[] {
  const [first, second] = [...name];
  const plain = [`${first}'${second}'`, `"${name}"`, `\\${name}`, `${first}""${second}`, `'${name}'`];
  return isPlain ? plain : [...plain, `$'${name}'`, `$'\\x70${second}'`];
}

/** Such lines with pieces inserted and removed anywhere: most fail, some run differently. */
function damaged(lines: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const damage = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    piece: piece,
    cut: fc.constantFrom(0, 0, 1, 1, 2),
  });
  return fc.tuple(lines, fc.array(damage, { minLength: 1, maxLength: 3 })).map(([line, damages]) =>
    damages.reduce((text, { at, piece: added, cut }) => {
      const place = Math.floor(at * text.length);
      return text.slice(0, place) + (cut === 1 ? '' : added) + text.slice(place + cut);
    }, line),
  );
}

/** Long, because each line runs in a real shell. */
const LINES_TIMEOUT_MS = DEEP ? 280_000 : 60_000;

type Shell = readonly [string, ...string[]];
const SHELLS: readonly (readonly [string, Shell])[] = [
  ['bash', ['bash', '--norc']],
  ['dash', ['dash']],
  ['bash with patterns of its own', ['bash', '--norc', '-O', 'extglob']],
  ['bash as sh', ['bash', '--posix']],
  ['zsh', ['zsh', '-f']],
  [
    'zsh with more patterns',
    ['zsh', '-f', '-o', 'extendedglob', '-o', 'rcquotes', '-o', 'magicequalsubst', '-o', 'kshglob'],
  ],
  ['mksh', ['mksh']],
  ['fish', ['fish', '--no-config']],
  ['busybox', ['busybox', 'sh']],
];
const IN_EVERY_RUN = ['bash', 'dash'];

/** Returns whether the arguments match those that were found. */
function fits([first, ...rest]: readonly Argument[], args: readonly string[]): boolean {
  if (first === undefined) return args.length === 0;
  if (first === UNKNOWN_ARGUMENTS)
    return fits(rest, args) || (args.length > 0 && fits([first, ...rest], args.slice(1)));
  return args.length > 0 && (first === UNKNOWN_ARGUMENT || first === args[0]) && fits(rest, args.slice(1));
}

describe('a line for a shell', () => {
  const shells = new ShellsRun();
  afterAll(() => shells.remove());

  /** Returns calls of programs that were not found, although no doubt was reported. */
  function hidden(line: string, shell: Shell): string[][] {
    const { launched, doubts } = analyzeShellLine(line, shell[0] === 'busybox' ? 'sh' : shell[0]);
    if (doubts.size > 0) return [];
    const isFound = ([name, ...args]: string[]) =>
      launched.some(({ program, args: read }) => program === name && fits(read, args));
    return shells.calls(shell, line).filter((call) => !isFound(call));
  }

  const isThere = ([file]: Shell) => ['/usr/bin', '/bin', '/usr/local/bin'].some((at) => existsSync(`${at}/${file}`));
  const isRun = ([name, shell]: readonly [string, Shell]) => (DEEP ? isThere(shell) : IN_EVERY_RUN.includes(name));
  const RUNS = runs({ normal: 15, deep: 100 });
  describe.each(SHELLS.filter(isRun))('hides nothing when parsed as %s', (name, shell) => {
    const lines = sensible(name !== 'bash' && name !== 'zsh');
    const made = {
      'that is understood': understoodLines,
      'that makes sense': lines,
      'in which something is damaged': damaged(lines),
      'that is understood but for some damage': damaged(understoodLines),
      'of random pieces': soup,
    };
    it.each(Object.keys(made) as (keyof typeof made)[])(
      '%s',
      (kind) => {
        const hidesNothing = fc.property(made[kind], (line) => expect(hidden(line, shell)).toEqual([]));
        fc.assert(hidesNothing, { numRuns: kind === 'that is understood' ? 4 * RUNS : RUNS });
      },
      LINES_TIMEOUT_MS,
    );
  });

  it('is understood if it is simple', () => {
    const lines = fc.sample(understoodLines, 500);
    const read = lines.filter((line) => analyzeShellLine(line, 'bash').doubts.size === 0);
    expect(read.length).toBeGreaterThan(250);
  });

  it('is parsed in limited time', () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: 'binary' })), (line) => {
        const { launched, doubts } = analyzeShellLine(line, 'bash');
        expect(launched.every(({ isGuess }) => !isGuess) || doubts.size > 0).toBe(true);
      }),
    );
    for (const long of ["''a", '$(', '"', "'a' ", ';', '\\\n', '#\\\n', '{a,', 'time ', '`', 'a&', '<<']) {
      expect(analyzeShellLine(long.repeat(30_000), 'bash')).toBeDefined();
    }
    expect(analyzeShellLine(`'${'a'.repeat(300_000)}''`, 'bash').doubts.size).toBe(1);
  });
});
