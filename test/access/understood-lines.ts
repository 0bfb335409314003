/** Generates lines that the policy should mostly understand, of parts that have a special meaning in one of the shells. */
import fc from 'fast-check';
import { PROGRAMS } from './shells-run.js';

const PARTS = [
  ...['a', 'HEAD~1', 'HEAD^', '@{1}', 'b=c', '--d=~/e', '+%s', '%h', 'x:y', 'g#h', '!', '"é"', ',', './f', '-n', '=='],
  ...["'i j'", "'a\\.b'", "'$(pa)'", "'!x'", '"k l"', '"$v"', '"${v}m"', '"\\$\\"\\\\"', '"\\n!"', '"a$"', '""', "''"],
  ...['\\ ', '\\$', '\\;', "\\'", '\\#', '\\*', '\\{', '$v', '${v}', '$?', '"$?"', '*', '?', '[a-z]', '{a,b}', '{}'],
  ...['[', ']', '=', '~', '"\'"'],
];
const word = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
const program = fc.constantFrom(...PROGRAMS, ...PROGRAMS, "p'a'", '"pb"', 'p"b"');
const STARTERS = ['env', 'env -u A B=1', 'nice -n 5', 'timeout 9', 'nohup', 'time', 'xargs -n1', 'env A=1 nice'];
const before = fc.constantFrom('A=1', 'A=\'x y\' B="$v"', ...STARTERS);
const after = fc.constantFrom(
  '>f',
  '> f',
  '2>&1',
  '>>f 2>&1',
  '</dev/null',
  '2>f',
  ' # c',
  '>"f g"',
  '\\\n a',
  '\\\n # c',
  '>&2',
);
const optional = (part: fc.Arbitrary<string>) => fc.option(part, { nil: '', freq: 3 });
const started = fc
  .tuple(optional(before), program, fc.array(word, { maxLength: 4 }), optional(after))
  .map(([first, name, words, last]) => [first, name, ...words, last].filter(Boolean).join(' '));
const nested = started.map((command) => `sh -c ${quoted(command)}`);
const BUILTINS = ['[ -f f ]', 'test ! -d f', '[ "$v" != x ]', 'cd .', 'export A=1', 'echo a', 'true', 'set -x'];
const builtin = fc.constantFrom(...BUILTINS);
const command = fc.oneof(
  { weight: 6, arbitrary: started },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: builtin },
);
const OPERATORS = [
  ' ; ',
  ';',
  '&&',
  ' && ',
  '||',
  '|',
  ' | ',
  '\n',
  ' &\n',
  ' & ',
  '&&\n',
  '|\n',
  '\n\n',
  ' # c\n',
  ' ;\n',
];
const more = fc.array(fc.tuple(fc.constantFrom(...OPERATORS), command), { maxLength: 3 });

export const understoodLines = fc.tuple(command, more).map(([first, rest]) => first + rest.flat().join(''));

/** Returns a text as one argument. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
