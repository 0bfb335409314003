/** How a command's bytes are decoded to text. */
import { demand } from '../breach.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { shortened } from '../answers.js';

const WIDE = 'aé漢🙂e\u0301';

export const TEXT_CASES: readonly Case[] = [
  {
    name: 'text-exact',
    rule: 'text of every width arrives as it was written',
    level: 'MUST',
    source: SOURCE.create,
    async run(stage) {
      const text = await stage.print(`printf '<%s>' '${WIDE}'`);
      demand(text.includes(`<${WIDE}>`), `of <${WIDE}> came ${shortened(text)}`);
    },
  },
  {
    name: 'text-split-writes',
    rule: 'a character that is written in two parts is one character',
    level: 'SHOULD',
    source: SOURCE.create,
    async run(stage) {
      const text = await stage.print(`printf '<\\303'; sleep 0.3; printf '\\251>'`);
      demand(text.includes('<é>'), `of <é> in two writes came ${shortened(text)}`);
    },
  },
  {
    name: 'text-read-within',
    rule: 'who reads in the middle of a character spoils nothing',
    level: 'SHOULD',
    source: SOURCE.create,
    async run(stage) {
      const held = await stage.shell(`printf '<\\360\\237'; sleep 0.4; printf '\\231\\202>'`);
      await held.shows(/</);
      const { text } = await held.finished();
      demand(text.includes('<🙂>'), `of <🙂> in two writes came ${shortened(text)}`);
    },
  },
  {
    name: 'text-no-text',
    rule: 'bytes that are no text spoil nothing of what is beside them',
    level: 'SHOULD',
    source: SOURCE.create,
    async run(stage) {
      const text = await stage.print(`printf 'before\\377\\376after'`);
      demand(/before.*after/s.test(text), `it was ${shortened(text)}`);
    },
  },
];
