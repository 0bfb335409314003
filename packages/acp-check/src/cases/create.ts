/** Checks how `terminal/create` runs a command. */
import { demand } from '../rule-violation.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { shortened } from '../answers.js';

/** Words that would change if they were passed through a shell or joined with spaces. */
const TRICKY_WORDS = ['two words', '', "it's", '"quoted"', ' spaces ', 'back\\slash', 'ünï©ode'];
const LITERAL = '$HOME $(echo ran) `echo ran` * ~ ; echo ran > /dev/null & | #';
const AT_ONCE = 8;

export const CREATE_CASES: readonly Case[] = [
  {
    name: 'create-at-once',
    rule: 'terminal/create returns at once, while the command is running',
    level: 'MUST',
    source: SOURCE.create,
    async run(context) {
      const held = await context.shell('sleep 3; echo over');
      demand((await held.output()).exit === undefined, 'it returned only after the command had ended');
    },
  },
  {
    name: 'create-unique-id',
    rule: 'each terminal has a unique id',
    level: 'MUST',
    source: SOURCE.schema,
    async run(context) {
      const ids = [(await context.shell('true')).id, (await context.shell('true')).id];
      demand(ids[0] !== ids[1], `two terminals have the id ${shortened(ids[0])}`);
    },
  },
  {
    name: 'create-words',
    rule: 'args reach the program unchanged, including empty ones, spaces and quotes',
    level: 'MUST',
    source: SOURCE.create,
    async run(context) {
      const args = ['-c', 'for word; do printf "<%s>\\n" "$word"; done', 'sh', ...TRICKY_WORDS];
      const { text } = await (await context.create({ command: '/bin/sh', args })).finished();
      const expected = TRICKY_WORDS.map((word) => `<${word}>`).join('\n');
      demand(text.includes(expected), `expected ${shortened(expected)}, got ${shortened(text)}`);
    },
  },
  {
    name: 'create-literal-words',
    rule: 'args are not interpreted by a shell: no variables, substitutions, patterns or operators',
    level: 'MUST',
    source: SOURCE.create,
    async run(context) {
      const held = await context.create({ command: 'printf', args: ['<%s>\\n', LITERAL] });
      const { text } = await held.finished();
      demand(text.includes(`<${LITERAL}>`), `expected <${LITERAL}>, got ${shortened(text)}`);
    },
  },
  {
    name: 'create-empty-args',
    rule: 'empty args are equivalent to no args',
    level: 'MUST',
    source: SOURCE.schema,
    async run(context) {
      const { exit } = await (await context.create({ command: 'true', args: [] })).finished();
      demand(exit?.exitCode === 0, `the exit of the program true was ${shortened(exit)}`);
    },
  },
  {
    name: 'create-shell-line',
    rule: 'a command without args is run as a shell command line, because agents send such lines',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const held = await context.create({ command: 'echo one two | tr o 0 && echo "three  four"' });
      const { text } = await held.finished();
      demand(text.includes('0ne tw0\nthree  four\n'), `its output was ${shortened(text)}`);
    },
  },
  {
    name: 'create-null-fields',
    rule: 'cwd, outputByteLimit and _meta may be null',
    level: 'MUST',
    source: SOURCE.schema,
    async run(context) {
      const text = await context.print('echo hello', { cwd: null, outputByteLimit: null, _meta: null });
      demand(text.includes('hello'), `its output was ${shortened(text)}`);
    },
  },
  {
    name: 'create-foreign-meta',
    rule: 'unknown fields in _meta are ignored',
    level: 'MUST',
    source: SOURCE.extensibility,
    async run(context) {
      const _meta = { 'acp-check.example/odd': { deep: [null, 1e300, 'x'] }, traceparent: '00-1-1-01' };
      const text = await context.print('echo hello', { _meta });
      demand(text.includes('hello'), `its output was ${shortened(text)}`);
    },
  },
  {
    name: 'create-unknown-program',
    rule: 'a program that does not exist is reported by an error or a nonzero exit code',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const args = ['--version'];
      const { result, error } = await context.ask('terminal/create', { command: 'acp-check-no-such-program', args });
      if (error !== undefined) return;
      const exit = await context.hold((result as { terminalId?: unknown }).terminalId).wait();
      demand(exit.exitCode !== 0 && (exit.exitCode ?? exit.signal) !== null, `its exit was ${shortened(exit)}`);
    },
  },
  {
    name: 'create-many',
    rule: 'terminals created at the same time run concurrently, each with its own output',
    level: 'SHOULD',
    source: SOURCE.create,
    async run(context) {
      const numbers = Array.from({ length: AT_ONCE }, (_, number) => number);
      const texts = await Promise.all(numbers.map((number) => context.print(`echo "<${number}>"; sleep 0.1`)));
      const wrong = numbers.filter((number) => texts[number]!.trim() !== `<${number}>`);
      demand(wrong.length === 0, `number ${wrong[0]} printed ${shortened(texts[wrong[0] ?? 0])}`);
    },
  },
];
