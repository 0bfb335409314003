/** Checks what `outputByteLimit` keeps and omits, and how the response reports that. */
import { demand } from '../rule-violation.js';
import { SOURCE } from '../case.js';
import type { Case } from '../case.js';
import { shortened } from '../answers.js';
import type { CaseContext } from '../case-context.js';

/** A character of four bytes. */
const SMILE = '🙂';
const SMILES = SMILE.repeat(40);
const WIDEST_BYTES = 4;
/** No limit is a multiple of four, so each falls within a character. */
const ODD_LIMITS = [5, 10, 30, 99];
/** Has no line ending, because a terminal would turn that into two bytes. */
const EXACTLY = '0123456789';
const KEPT_BY_DEFAULT = 16_000;

function printed(context: CaseContext, text: string, outputByteLimit: number) {
  return context.shell(`printf %s '${text}'`, { outputByteLimit }).then((held) => held.finished());
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}

export const LIMIT_CASES: readonly Case[] = [
  {
    name: 'limit-keeps-end',
    rule: 'above the limit, output is dropped from the beginning, and the end is kept',
    level: 'MUST',
    source: SOURCE.create,
    async run(context) {
      const held = await context.shell('seq 1 1000; printf last', { outputByteLimit: 200 });
      const { text } = await held.finished();
      demand(text.endsWith('last') && text.includes('1000\n'), `of 1 to 1000 and "last" it kept ${shortened(text)}`);
      demand(!text.startsWith('1\n2\n'), 'it also kept the beginning');
    },
  },
  {
    name: 'limit-counts-bytes',
    rule: 'the limit counts bytes, not characters',
    level: 'MUST',
    source: SOURCE.create,
    async run(context) {
      const { output } = await printed(context, SMILES, 100);
      demand(bytes(output) <= 100, `with a limit of 100 bytes it kept ${bytes(output)}`);
    },
  },
  {
    name: 'limit-whole-characters',
    rule: 'output is cut between characters',
    level: 'MUST',
    source: SOURCE.create,
    async run(context) {
      const seen = await Promise.all(ODD_LIMITS.map((limit) => printed(context, SMILES, limit)));
      const broken = seen.find(({ output }) => output.replaceAll(SMILE, '') !== '');
      demand(broken === undefined, `of ${SMILE} alone it returned ${shortened(broken?.output)}`);
    },
  },
  {
    name: 'limit-slightly-less',
    rule: 'cutting between characters omits less than one character more than the limit requires',
    level: 'SHOULD',
    source: SOURCE.create,
    async run(context) {
      const seen = await Promise.all(ODD_LIMITS.map((limit) => printed(context, SMILES, limit)));
      const kept = seen.map(({ output }) => bytes(output));
      const isEnough = ODD_LIMITS.every((limit, index) => kept[index]! > limit - WIDEST_BYTES);
      demand(isEnough, `with limits of ${ODD_LIMITS.join(', ')} bytes it kept ${kept.join(', ')}`);
    },
  },
  {
    name: 'limit-tells',
    rule: 'truncated shows whether output has been dropped',
    level: 'MUST',
    source: SOURCE.output,
    async run(context) {
      const over = (await printed(context, SMILES, 40)).truncated;
      const below = (await printed(context, SMILES, 4000)).truncated;
      demand(over === true, `above the limit, truncated was ${shortened(over)}`);
      demand(below === false, `below the limit, truncated was ${shortened(below)}`);
    },
  },
  {
    name: 'limit-exactly',
    rule: 'output of exactly the limit is kept completely, and truncated is false',
    level: 'MUST',
    source: SOURCE.create,
    async run(context) {
      const { output, truncated } = await printed(context, EXACTLY, EXACTLY.length);
      demand(output === EXACTLY, `of ${EXACTLY} it kept ${shortened(output)}`);
      demand(truncated === false, `truncated was ${shortened(truncated)}`);
    },
  },
  {
    name: 'limit-stays-told',
    rule: 'truncated stays true, even if less is kept than the limit allows',
    level: 'MUST',
    source: SOURCE.output,
    async run(context) {
      const held = await context.shell(`printf %s '${SMILES}'; sleep 0.2; printf x`, { outputByteLimit: 10 });
      await held.finished();
      const told = [(await held.output()).truncated, (await held.output()).truncated];
      demand(told.every(Boolean), `truncated was ${told.join(', then ')}`);
    },
  },
  {
    name: 'limit-zero',
    rule: 'a limit of 0 is valid: nothing is kept, and truncated is true',
    level: 'MUST',
    source: SOURCE.schema,
    async run(context) {
      const { output, truncated } = await printed(context, EXACTLY, 0);
      demand(output === '', `it kept ${shortened(output)}`);
      demand(truncated === true, `truncated was ${shortened(truncated)}`);
    },
  },
  {
    name: 'limit-while-running',
    rule: 'the limit also applies while the command is running',
    level: 'MUST',
    source: SOURCE.create,
    async run(context) {
      const held = await context.shell('seq 1 2000; echo done; sleep 10', { outputByteLimit: 300 });
      await held.shows(/done/);
      const { output } = await held.output();
      demand(bytes(output) <= 300, `with a limit of 300 bytes it kept ${bytes(output)}`);
    },
  },
  {
    name: 'limit-large',
    rule: 'a limit larger than any client keeps is accepted',
    level: 'MUST',
    source: SOURCE.schema,
    async run(context) {
      const { output, truncated } = await printed(context, EXACTLY, Number.MAX_SAFE_INTEGER);
      demand(output === EXACTLY && truncated === false, `it returned ${shortened({ output, truncated })}`);
    },
  },
  {
    name: 'limit-absent',
    rule: `without a limit, at least ${KEPT_BY_DEFAULT} bytes are kept`,
    level: 'advice',
    source: SOURCE.silent,
    async run(context) {
      const held = await context.shell(`head -c ${KEPT_BY_DEFAULT} /dev/zero | tr '\\000' x`);
      const { output, truncated } = await held.finished();
      const isWhole = output.length === KEPT_BY_DEFAULT && truncated === false;
      demand(isWhole, `of ${KEPT_BY_DEFAULT} bytes it kept ${output.length}, truncated: ${shortened(truncated)}`);
    },
  },
];
