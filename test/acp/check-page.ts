/** The tables of docs/acp.md on which rule holds for which client, made of the reports kept beside this. It checks nothing. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseGroup } from '../../src/acp/check/cases.js';
import type { CheckResult } from '../../src/acp/check/check.js';

const PLACE = join(import.meta.dirname, 'results');
const BEGIN = '<!-- check: written by `npm run docs` from test/acp/results; run the check anew, do not edit this -->';
const END = '<!-- end of check -->';

/** As the tables call them, by the name of the file. */
export const CHECKED = { run: 'acp run', proxy: 'acp proxy', acpx: 'acpx 0.19.1' } as const;

export type CheckedName = keyof typeof CHECKED;

/** What is kept of `tenacitty acp check --json`: what would be the same the next time. */
type KeptVerdict = Pick<CheckResult['verdicts'][number], 'name' | 'outcome' | 'seen'>;

const NAMES = Object.keys(CHECKED) as CheckedName[];
const WORDS = { pass: 'ok', fail: '**no**', skipped: '–' } as const;

export function keepResult(name: CheckedName, { verdicts }: Pick<CheckResult, 'verdicts'>): void {
  const kept: KeptVerdict[] = verdicts.map(({ name: of, outcome, seen }) => ({ name: of, outcome, seen }));
  writeFileSync(join(PLACE, `${name}.json`), `${JSON.stringify(kept, null, 2)}\n`);
}

export function keptResult(name: CheckedName): readonly KeptVerdict[] {
  return JSON.parse(readFileSync(join(PLACE, `${name}.json`), 'utf8')) as KeptVerdict[];
}

/** The document with its tables made anew. */
export function withCheckTables(document: string, groups: readonly CaseGroup[]): string {
  const before = document.slice(0, document.indexOf(BEGIN));
  const after = document.slice(document.indexOf(END));
  return `${before}${BEGIN}\n\n${groups.map(tableOf).join('\n\n')}\n\n${seenList()}\n\n${after}`;
}

function tableOf({ title, cases }: CaseGroup): string {
  const head = `| ${title} | Level | ${NAMES.map((name) => CHECKED[name]).join(' | ')} |`;
  const rows = cases.map(({ name, rule, level }) => {
    const cells = NAMES.map((of) => cellOf(keptResult(of).find((one) => one.name === name)));
    return `| \`${name}\`: ${rule.replaceAll('|', '\\|')} | ${level} | ${cells.join(' | ')} |`;
  });
  return [head, `| --- | --- |${' --- |'.repeat(NAMES.length)}`, ...rows].join('\n');
}

function cellOf(verdict: KeptVerdict | undefined): string {
  return verdict ? WORDS[verdict.outcome] : '?';
}

/** What stands behind each cell that is not `ok`. */
function seenList(): string {
  const lines = NAMES.flatMap((of) =>
    keptResult(of)
      .filter(({ outcome }) => outcome !== 'pass')
      .map(({ name, seen }) => `- ${CHECKED[of]}, \`${name}\`: ${asCode(seen)}`),
  );
  return ['What was seen where it is not **ok**:', '', ...lines].join('\n');
}

function asCode(text: string): string {
  return `\`\` ${text.replaceAll('\n', ' ')} \`\``;
}
