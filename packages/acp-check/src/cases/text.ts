/** Checks how a command's bytes are decoded to text. */
import { demand } from '../rule-violation.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { shortened } from '../answers.js';

const WIDE = 'aé漢🙂e\u0301';

export const TEXT_CASES: readonly Case[] = [
  {
    name: 'text-exact',
    rule: 'text of every character width arrives unchanged',
    level: 'MUST',
    source: SOURCE.create,
    async run(context) {
      const text = await context.print(`printf '<%s>' '${WIDE}'`);
      demand(text.includes(`<${WIDE}>`), `<${WIDE}> arrived as ${shortened(text)}`);
    },
  },
  {
    name: 'text-split-writes',
    rule: 'a character written in two parts arrives as one character',
    level: 'SHOULD',
    source: SOURCE.create,
    async run(context) {
      const text = await context.print(`printf '<\\303'; sleep 0.3; printf '\\251>'`);
      demand(text.includes('<é>'), `<é> in two writes arrived as ${shortened(text)}`);
    },
  },
  {
    name: 'text-read-within',
    rule: 'reading in the middle of a character does not corrupt it',
    level: 'SHOULD',
    source: SOURCE.create,
    async run(context) {
      const held = await context.shell(`printf '<\\360\\237'; sleep 0.4; printf '\\231\\202>'`);
      await held.shows(/</);
      const { text } = await held.finished();
      demand(text.includes('<🙂>'), `<🙂> in two writes arrived as ${shortened(text)}`);
    },
  },
  {
    name: 'text-no-text',
    rule: 'bytes that are not text do not corrupt adjacent text',
    level: 'SHOULD',
    source: SOURCE.create,
    async run(context) {
      const text = await context.print(`printf 'before\\377\\376after'`);
      demand(/before.*after/s.test(text), `the output was ${shortened(text)}`);
    },
  },
];
