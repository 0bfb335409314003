/**
 * Tests that no quoting hides a program: every program that a real shell runs from a line is found in it, or the line
 * is reported as not understood.
 */
import fc from 'fast-check';
import { readShellLine } from '../../src/access/shell-line/launched.js';
import type { Dialect } from '../../src/access/shell-line/dialect.js';
import { DEEP, runs } from '../deep.js';
import { PROGRAMS, ShellsRun } from './shells-run.js';

/** The pieces of random lines: separators, quotes, nesting, and programs. None runs without end. */
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

/** Generates valid lines for this dialect, with a program anywhere. */
function sensible(dialect: Dialect): fc.Arbitrary<string> {
  const isPlain = dialect === 'sh';
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

/** Ways to run a program, or to change the meaning of a name, without a command that starts with it. */
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

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Such lines with pieces inserted and removed anywhere: most fail, some run differently. */
function damaged(dialect: Dialect): fc.Arbitrary<string> {
  const damage = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    piece: piece,
    cut: fc.constantFrom(0, 0, 1, 1, 2),
  });
  return fc.tuple(sensible(dialect), fc.array(damage, { minLength: 1, maxLength: 3 })).map(([line, damages]) =>
    damages.reduce((text, { at, piece: added, cut }) => {
      const place = Math.floor(at * text.length);
      return text.slice(0, place) + (cut === 1 ? '' : added) + text.slice(place + cut);
    }, line),
  );
}

/** Long, because each line runs in a real shell. */
const LINES_TIMEOUT_MS = DEEP ? 280_000 : 60_000;

const SHELLS: readonly [string, Dialect, readonly [string, ...string[]]][] = [
  ['bash', 'bash', ['bash', '--norc']],
  ['bash with patterns of its own', 'bash', ['bash', '--norc', '-O', 'extglob']],
  ['dash', 'sh', ['dash']],
  ['bash as sh', 'sh', ['bash', '--posix']],
  ['zsh', 'zsh', ['zsh', '-f']],
];

describe('a line for a shell', () => {
  const shells = new ShellsRun();
  afterAll(() => shells.remove());

  /** Returns programs that ran although they were not found and no doubt was reported. */
  function hidden(line: string, dialect: Dialect, shell: readonly [string, ...string[]]): string[] {
    const { launched, doubts } = readShellLine(line, dialect);
    if (doubts.size > 0) return [];
    const found = launched.map(({ program }) => program);
    return shells.run(shell, line).filter((name) => !found.includes(name));
  }

  const RUNS = runs({ normal: 15, deep: 100 });
  describe.each(DEEP ? SHELLS : SHELLS.filter(([name]) => name === 'bash' || name === 'dash'))(
    'hides nothing from who reads it as %s',
    (_name, dialect, shell) => {
      it.each([
        ['that makes sense', sensible(dialect)],
        ['in which something is damaged', damaged(dialect)],
        ['of random pieces', soup],
      ])(
        '%s',
        (_kind, lines) => {
          const hidesNothing = fc.property(lines, (line) => expect(hidden(line, dialect, shell)).toEqual([]));
          fc.assert(hidesNothing, { numRuns: RUNS });
        },
        LINES_TIMEOUT_MS,
      );
    },
  );
});
