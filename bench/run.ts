/**
 * `npm run bench`: measures the rows, prints them beside their goals and saves them. Exits with 1 only if a row could
 * not be measured, never because of a number.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, release, type } from 'node:os';
import { join } from 'node:path';
import { parseRequest } from './arguments.js';
import type { BenchRequest } from './arguments.js';
import { ROOT } from './contender.js';
import { buildReference } from './reference/reference.js';
import { asJson, asMarkdown, asTable, resultOf } from './report.js';
import type { Machine, Results, RowResult } from './report.js';
import type { BenchRow, BenchRun } from './row.js';
import { ROWS } from './rows/rows.js';

const RESULTS_DIRECTORY = join(ROOT, 'bench', 'results');

const say = (text: string): void => void process.stderr.write(`bench: ${text}\n`);

function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    node: process.versions.node,
    kernel: `${type()} ${release()}`,
    load: loadavg(),
  };
}

/** A row that cannot be measured is reported and does not stop the others. */
async function measureRow(row: BenchRow, run: Omit<BenchRun, 'progress'>): Promise<RowResult> {
  try {
    const findings = await row.measure({ ...run, progress: (text) => say(`${row.name}: ${text}`) });
    return resultOf(row, findings);
  } catch (error) {
    say(`${row.name}: ${String(error)}`);
    return resultOf(row, [], error instanceof Error ? error.message : String(error));
  }
}

async function measureRows(request: BenchRequest): Promise<Results> {
  const { rounds, quick: isQuick, peers: withPeers, date, note } = request;
  const machine = describeMachine();
  const run = { rounds, isQuick, withPeers, reference: buildReference() };
  const wanted = ROWS.filter(({ name }) => request.only.length === 0 || request.only.includes(name));
  const rows: RowResult[] = [];
  for (const row of wanted) rows.push(await measureRow(row, run));
  return { date, machine, rounds, isQuick, note, rows };
}

/** Saves the results of complete runs only. */
function keep(results: Results, { quick, only, date }: BenchRequest): void {
  if (quick || only.length > 0) return say('not saved: only complete runs are saved');
  mkdirSync(RESULTS_DIRECTORY, { recursive: true });
  writeFileSync(join(RESULTS_DIRECTORY, `${date}.md`), asMarkdown(results));
  writeFileSync(join(RESULTS_DIRECTORY, `${date}.json`), asJson(results));
  say(`saved as bench/results/${date}.md and .json`);
}

/** The setup script is plain JavaScript without types. */
async function buildEngine(): Promise<void> {
  const setup = (await import(new URL('../scripts/setup.mjs', import.meta.url).href)) as { build(): void };
  setup.build();
}

try {
  const rowNames = ROWS.map(({ name }) => name);
  const request = parseRequest(process.argv.slice(2), rowNames);
  await buildEngine();
  const results = await measureRows(request);
  process.stdout.write(request.json ? asJson(results) : asTable(results));
  keep(results, request);
  if (results.rows.some(({ failure }) => failure !== undefined)) process.exitCode = 1;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
