/** Generates the tables of the README: which rule of the check holds for which client. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseGroup } from '../src/cases.js';
import type { Verdict as FullVerdict } from '../src/verdict.js';

export const README = join(import.meta.dirname, '..', 'README.md');
const ACPX_VERDICTS = join(import.meta.dirname, 'acpx-verdicts.json');
const BEGIN = '<!-- check: written by `npm run docs`; do not edit this -->';
const END = '<!-- end of check -->';

/**
 * The clients by their names in the tables. test/acp/held-to-check.deep.test.ts runs every case with `run` and `proxy`.
 */
const CHECKED = { run: '`tenacitty acp run`', proxy: '`tenacitty acp proxy`', acpx: 'acpx 0.19.1' } as const;
type CheckedName = keyof typeof CHECKED;
const NAMES = Object.keys(CHECKED) as CheckedName[];

/** The fields of `acp-check --json` that are the same in every run. */
type Verdict = Pick<FullVerdict, 'name' | 'outcome' | 'seen'>;

const WORDS = { pass: 'ok', fail: '**no**', skipped: '–' } as const;

/** The recorded results of the check with acpx; a test of the deep run compares them with acpx itself. */
export function acpxVerdicts(): readonly Verdict[] {
  return JSON.parse(readFileSync(ACPX_VERDICTS, 'utf8')) as Verdict[];
}

function verdictOf(client: CheckedName, name: string): Verdict | undefined {
  if (client !== 'acpx') return { name, outcome: 'pass', seen: '' };
  return acpxVerdicts().find((one) => one.name === name);
}

/** Returns the document with its tables generated again. */
export function withCheckTables(document: string, groups: readonly CaseGroup[]): string {
  const before = document.slice(0, document.indexOf(BEGIN));
  const after = document.slice(document.indexOf(END));
  return `${before}${BEGIN}\n\n${groups.map(tableOf).join('\n\n')}\n\n${seenList()}\n\n${after}`;
}

function tableOf({ title, cases }: CaseGroup): string {
  const head = `| ${title} | Level | ${NAMES.map((name) => CHECKED[name]).join(' | ')} |`;
  const rows = cases.map(({ name, rule, level }) => {
    const cells = NAMES.map((of) => cellOf(verdictOf(of, name)));
    return `| \`${name}\`: ${rule.replaceAll('|', '\\|')} | ${level} | ${cells.join(' | ')} |`;
  });
  return [head, `| --- | --- |${' --- |'.repeat(NAMES.length)}`, ...rows].join('\n');
}

function cellOf(verdict: Verdict | undefined): string {
  return verdict ? WORDS[verdict.outcome] : '?';
}

/** Returns the observation for each cell that is not `ok`. */
function seenList(): string {
  const lines = acpxVerdicts()
    .filter(({ outcome }) => outcome !== 'pass')
    .map(({ name, seen }) => `- ${CHECKED.acpx}, \`${name}\`: ${asCode(seen)}`);
  return ['Observations for rules that are not **ok**:', '', ...lines].join('\n');
}

function asCode(text: string): string {
  return `\`\` ${text.replaceAll('\n', ' ')} \`\``;
}
