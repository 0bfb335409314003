/** Formats results for people and programs: as a table, Markdown or JSON. Pure; measures nothing. */
import { median, written } from './numbers.js';
import type { Measurement, Goal, BenchRow } from './row.js';

export interface Machine {
  readonly cores: number;
  readonly node: string;
  readonly kernel: string;
  /** Load averages (1, 5, 15 minutes) before the first row. */
  readonly load: readonly number[];
}

export interface RowResult {
  readonly name: string;
  readonly what: string;
  readonly findings: readonly Measurement[];
  /** Why there are no findings. */
  readonly failure?: string;
}

export interface Results {
  readonly date: string;
  readonly machine: Machine;
  readonly rounds: number;
  readonly isQuick: boolean;
  readonly note: string;
  readonly rows: readonly RowResult[];
}

export const resultOf = ({ name, what }: BenchRow, findings: readonly Measurement[], failure?: string): RowResult => ({
  name,
  what,
  findings,
  ...(failure === undefined ? {} : { failure }),
});

/** Whether the median meets the goal; undefined if there is none. */
export function isMet({ samples, goal }: Measurement): boolean | undefined {
  if (goal === undefined) return undefined;
  return 'atLeast' in goal ? median(samples) >= goal.atLeast : median(samples) <= goal.atMost;
}

const HEADINGS = ['row', 'measure', 'median', 'min–max', 'goal', 'met'] as const;

/** One line per finding, with aligned columns, below two lines that say where and how it was measured. */
export function asTable(results: Results): string {
  const lines = [HEADINGS, ...results.rows.flatMap(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const aligned = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  return `${circumstances(results).join('\n')}\n\n${aligned.join('\n')}\n`;
}

export function asMarkdown(results: Results): string {
  const lines = [HEADINGS, HEADINGS.map(() => '---'), ...results.rows.flatMap(cellsOf)];
  const table = lines.map((line) => `| ${line.join(' | ')} |`);
  const meanings = results.rows.map(({ name, what }) => `- **${name}**: ${what}`);
  const parts = [`# Bench, ${results.date}`, circumstances(results).join('\n'), table.join('\n'), meanings.join('\n')];
  return `${parts.join('\n\n')}\n`;
}

/** All results; each finding includes its median and whether its goal was met. */
export function asJson(results: Results): string {
  const rows = results.rows.map(({ findings, ...row }) => ({
    ...row,
    findings: findings.map((finding) => ({ ...finding, median: median(finding.samples), isMet: isMet(finding) })),
  }));
  return `${JSON.stringify({ ...results, rows }, null, 2)}\n`;
}

function circumstances({ machine, rounds, isQuick, note }: Results): string[] {
  const { cores, node, kernel, load } = machine;
  const how = `${rounds} rounds${isQuick ? ', quick: smaller inputs' : ''}; load before ${load.map(written).join(' ')}.`;
  return [`${cores} cores, Node ${node}, ${kernel}. ${how}`, ...(note === '' ? [] : [note])];
}

function cellsOf({ name, findings, failure }: RowResult): string[][] {
  if (failure !== undefined) return [[name, `could not be measured: ${failure}`, '', '', '', 'no']];
  return findings.map((finding, index) => {
    const { measure, samples, unit, goal } = finding;
    const range = samples.length > 1 ? `${written(Math.min(...samples))}–${written(Math.max(...samples))}` : '';
    const met = { true: 'yes', false: 'no', undefined: '' }[String(isMet(finding)) as 'true' | 'false' | 'undefined'];
    return [
      index === 0 ? name : '',
      measure,
      `${written(median(samples))} ${unit}`,
      range,
      goal ? goalText(goal) : '',
      met,
    ];
  });
}

function goalText(goal: Goal): string {
  return 'atLeast' in goal ? `≥ ${written(goal.atLeast)}` : `≤ ${written(goal.atMost)}`;
}
