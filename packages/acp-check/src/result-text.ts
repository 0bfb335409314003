/** Formats the result of a check for a person. Pure. */
import type { CheckResult } from './check.js';
import { CASE_GROUPS } from './cases.js';
import { printable, textTable } from './text.js';
import type { Verdict } from './verdict.js';

const CAME = {
  'never-came': 'the client never connected to its agent; is {agent} in the right place?',
  'never-prompted': 'the client started its agent, but sent no prompt',
  'no-terminals': 'the client does not announce terminal support, so there is nothing to check',
} as const;

const FAIL = 'FAIL';
const WORDS = { pass: 'ok', fail: FAIL, skipped: 'skipped' } as const;

/** Text for stdout, and messages for stderr. */
export interface ResultText {
  readonly table: string;
  readonly messages: readonly string[];
}

export function resultText(result: CheckResult, isColoured: boolean): ResultText {
  if (result.came !== 'checked') return { table: '', messages: absence(result.came, result.lastWords) };
  const { client, verdicts, isComplete } = result;
  const inOrder = CASE_GROUPS.flatMap(({ cases }) => cases.flatMap((one) => verdicts.filter(isOf(one.name))));
  return {
    table: `${textTable(inOrder.map((verdict) => rowOf(verdict, isColoured)))}${verdicts.map(exchangeText).join('')}`,
    messages: [
      ...(client ? [`client: ${client.name} ${client.version}`] : []),
      inNumbers(verdicts),
      ...verdicts.filter(isBroken).map(({ name, seen }) => `MUST: ${name}: ${seen}`),
      ...(isComplete ? [] : ['the turn ended before all cases were run']),
    ],
  };
}

/** Returns whether a verdict shows that a MUST rule is violated. */
export function isBroken({ level, outcome }: Verdict): boolean {
  return level === 'MUST' && outcome === 'fail';
}

function isOf(wanted: string): (verdict: Verdict) => boolean {
  return ({ name }) => name === wanted;
}

function absence(came: keyof typeof CAME, lastWords: string): string[] {
  if (came === 'no-terminals' || lastWords.trim() === '') return [CAME[came]];
  const lines = lastWords.trim().split('\n');
  return [CAME[came], 'its output:', ...lines.map((line) => `  ${line}`)];
}

function rowOf({ outcome, name, level, rule, seen }: Verdict, isColoured: boolean): string[] {
  const word = isColoured && outcome === 'fail' ? `\x1b[31m${FAIL}\x1b[0m` : WORDS[outcome];
  return [word, name, level, printable(seen === '' ? rule : `${rule}: ${seen}`)];
}

/** Returns the text of the last request before the violation was detected, and of its response. */
function exchangeText({ name, exchange }: Verdict): string {
  if (exchange === null) return '';
  const { request, answer } = exchange;
  return `\n${name}\n  sent      ${printable(request)}\n  received  ${printable(answer ?? 'no response yet')}\n`;
}

/** Returns the counts as text: `91 cases: 88 passed, 2 failed (1 MUST, 1 advice), 1 skipped`. */
function inNumbers(verdicts: readonly Verdict[]): string {
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail');
  const skipped = verdicts.filter(({ outcome }) => outcome === 'skipped').length;
  const levels = (['MUST', 'SHOULD', 'advice'] as const)
    .map((level) => [failed.filter((verdict) => verdict.level === level).length, level] as const)
    .filter(([count]) => count > 0);
  const which = failed.length === 0 ? '' : ` (${levels.map(([count, level]) => `${count} ${level}`).join(', ')})`;
  const held = verdicts.length - failed.length - skipped;
  return `${verdicts.length} cases: ${held} passed, ${failed.length} failed${which}, ${skipped} skipped`;
}
