/**
 * Tests operands that shells evaluate or expand once more: the line reader must reject every line in which a real shell
 * runs a program from a variable's value.
 */
import { analyzeShellLine } from '../../src/access/shell-line/launch-analyzer.js';
import { ShellsRun } from './shells-run.js';

/** `pa` appears in each of them only as data; each of the forms below replaces X. */
const VALUES = ["x='path[$(pa)]'", "x='PATH[$(pa)]'", "x='$(pa)'", "x='($(pa))'"];
const FORMS = ['x', '1+x', '"$x"', '$x', "'$(pa)'", "'($(pa))'"];
const PLACES = [
  ...['test -t X', '[ -t X ]', '[ ! -t X ]', '[ "(" -t X ")" ]', '[ -n a -a -t X ]', '[[ -t X ]]', '[[ ! -t X ]]'],
  ...['[[ ( -t X ) ]]', '[[ -n a && -t X ]]', 'o=-t; [ "$o" X ]', 'builtin test -t X', "[[ -'t' X ]]"],
  ...['test -v X', '[[ -v X ]]', '[[ -R X ]]', '[ X -eq 1 ]', '[ 1 -lt X ]', '[[ X -eq 1 ]]', '[[ 1 -ge X ]]'],
  ...[
    '[[ -o X ]]',
    '[[ X -nt X ]]',
    '[[ -n X ]]',
    'printf %d X',
    'printf "%*s" X y',
    'printf "%(%s)T" X',
    'printf -v X y',
  ],
  ...['shift X', 'f() { return X; }; f', 'while :; do break X; done', 'for i in 1; do continue X; done', 'exit X'],
  ...[
    'read -t X y',
    'read -tX y',
    'read -rtX y',
    'read -kX y',
    'read -uX y',
    'read -u X y',
    'read -n X y',
    'read -k X y',
    'read X',
    'read -A X',
    'getopts a X',
    'mapfile -n X y',
  ],
  ...[
    'unset X',
    'unset -v X',
    'ulimit -n X',
    'umask X',
    'kill X',
    'kill %X',
    'kill -s X 1',
    'jobs X',
    'fg X',
    'wait X',
  ],
  ...['disown X', 'cd +X', 'cd X', 'pushd +X', 'popd +X', 'dirs +X', 'set -A X', 'set -A y X', 'set -o X', 'type X'],
  ...[
    'echo a >&X',
    'echo a 1>&X',
    'echo a 2>&X',
    'echo a >&X-',
    'cat <&X',
    'echo a &>X',
    'echo a >|X',
    'exec >&X',
    'cat <<<X',
  ],
  ...[
    'declare -i y=X',
    'declare -a y=X',
    'declare -A y=X',
    'y=(); declare y=X',
    'y=(); typeset y+=X',
    'typeset -x y=X',
  ],
  ...[
    'f() { local -a y=X; }; f',
    'f() { local -a y; local y=X; }; f',
    'readonly -a y=X',
    'export -a y=X',
    'export y=X',
  ],
  ...[
    'declare X',
    'export X',
    'declare -a y[0]=X',
    'builtin declare -a y=X',
    '\\declare -a y=X',
    "declare -a 'y=(${x@P})'",
  ],
  ...[
    'y[X]=1',
    'y=(X)',
    'y=([X]=1)',
    'echo ${x:X}',
    'RANDOM=X',
    'SECONDS=X',
    'OPTIND=X',
    'COLUMNS=X',
    'for RANDOM in X; do :; done',
  ],
];
const LINES = VALUES.flatMap((value) =>
  PLACES.flatMap((place) => FORMS.map((form) => `${value}; ${place.replaceAll('X', form)}`)),
);

const SHELLS: readonly [string, readonly [string, ...string[]]][] = [
  ['bash', ['bash', '--norc']],
  ['zsh', ['zsh', '-f']],
];

describe('an operand that a shell evaluates', () => {
  const shells = new ShellsRun();
  afterAll(() => shells.remove());

  it.each(SHELLS)('is a doubt wherever %s evaluates its contents', (name, shell) => {
    const understood = LINES.filter((line) => analyzeShellLine(line, name).doubts.size === 0);
    expect(understood.length).toBeGreaterThan(PLACES.length);
    // Runs all of them in one shell, each in its own subshell; individually only if something other than the last
    // program ran.
    const together = [...understood.map((line) => `(eval '${line.replaceAll("'", `'\\''`)}') </dev/null`), 'pb'].join(
      '\n',
    );
    const ran = shells.run(shell, together);
    if (!ran.includes('pa')) return expect(ran).toEqual(['pb']);
    const hidden = understood.filter((line) => shells.run(shell, line).length > 0);
    expect(hidden).toEqual([]);
  });
});
