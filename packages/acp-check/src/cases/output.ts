/** Checks what `terminal/output` returns while a command is running and afterwards. */
import { demand } from '../rule-violation.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { problemWith, shortened } from '../answers.js';
import { CaseContext } from '../case-context.js';

const LINES = 20_000;
const TURNS = 20;
/**
 * Number of control characters to print. Each takes six bytes in JSON, so that in total they exceed the SDKs' line
 * limit of 32 MiB.
 */
const CONTROL_CHARACTERS = 5_700_000;
/** On a busy machine, printing this much takes longer than anything else that a case waits for. */
const TIMEOUT_FACTOR = 4;
const LINE_BYTES_MAX = 32 * 1024 * 1024;

export const OUTPUT_CASES: readonly Case[] = [
  {
    name: 'output-while-running',
    rule: 'terminal/output returns the output so far, without waiting for the end',
    level: 'MUST',
    source: SOURCE.output,
    async run(context) {
      const held = await context.shell('echo begun; sleep 3; echo over');
      await held.shows(/begun/);
      const { text } = await held.output();
      demand(!text.includes('over'), 'it returned only after the command had ended');
    },
  },
  {
    name: 'output-exit-status',
    rule: 'exitStatus is present when the command has ended, and not before',
    level: 'MUST',
    source: SOURCE.output,
    async run(context) {
      const held = await context.shell('echo begun; sleep 1; exit 3');
      await held.shows(/begun/);
      const early = (await held.output()).exit;
      demand(early === undefined, `while it was running, exitStatus was ${shortened(early)}`);
      const { exit } = await held.finished();
      demand(exit?.exitCode === 3, `after exit 3, it was ${shortened(exit)}`);
    },
  },
  {
    name: 'output-shape',
    rule: 'its result has exactly the fields of the schema, while the command is running and afterwards',
    level: 'MUST',
    source: SOURCE.schema,
    async run(context) {
      const held = await context.shell('echo begun; sleep 0.3');
      const answers = [await held.get('terminal/output')];
      await held.wait();
      answers.push(await held.get('terminal/output'));
      for (const answer of answers) {
        const problem = problemWith('terminal/output', answer);
        demand(problem === undefined, problem ?? '');
      }
    },
  },
  {
    name: 'output-stays',
    rule: 'reading does not consume output: the next response contains it again',
    level: 'MUST',
    source: SOURCE.output,
    async run(context) {
      const held = await context.shell('echo kept');
      const first = (await held.finished()).text;
      const { text } = await held.output();
      demand(first.includes('kept') && text === first, `first ${shortened(first)}, then ${shortened(text)}`);
    },
  },
  {
    name: 'output-stderr',
    rule: 'output written to stderr is included',
    level: 'SHOULD',
    source: SOURCE.output,
    async run(context) {
      const text = await context.print('echo out; echo trouble >&2');
      demand(text.includes('out') && text.includes('trouble'), `the output was ${shortened(text)}`);
    },
  },
  {
    name: 'output-order',
    rule: 'stdout and stderr are in the order in which they were written',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const text = await context.print(`i=0; while [ $i -lt ${TURNS} ]; do echo o$i; echo e$i >&2; i=$((i+1)); done`);
      const expected = Array.from({ length: TURNS }, (_, turn) => `o${turn}\ne${turn}\n`).join('');
      demand(text.includes(expected), `the output was ${shortened(text)}`);
    },
  },
  {
    name: 'output-complete',
    rule: 'when terminal/wait_for_exit returns, the output is complete',
    level: 'SHOULD',
    source: SOURCE.exit,
    async run(context) {
      const held = await context.shell(`seq 1 ${LINES}`, { outputByteLimit: 1_000_000 });
      const { text } = await held.finished();
      const last = text.trimEnd().split('\n').at(-1);
      demand(last === String(LINES), `of ${LINES} lines, the last was ${shortened(last)}`);
      demand(text.startsWith('1\n2\n'), `it starts with ${shortened(text.slice(0, 20))}`);
    },
  },
  {
    name: 'output-answer-fits',
    rule: 'with any requested limit, a response has at most 32 MiB, which is the longest line that the SDKs read',
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const script = `head -c ${CONTROL_CHARACTERS} /dev/zero | tr '\\000' '\\001'`;
      const timeoutMs = context.environment.timeoutMs * TIMEOUT_FACTOR;
      const patientContext = new CaseContext(context.peer, { ...context.environment, timeoutMs });
      const held = await patientContext.shell(script, { outputByteLimit: Number.MAX_SAFE_INTEGER });
      try {
        await held.finished();
      } finally {
        await patientContext.leave();
      }
      const { longestLine } = context.peer;
      demand(longestLine <= LINE_BYTES_MAX, `a response had ${longestLine} bytes`);
    },
  },
];
