/** `tenacitty acp check`: what a client of ACP makes of its terminals; and the agent that finds that out. */
import { checkClient, CASE_GROUPS, CASES, chosenCases, serveCheck } from '../../acp-check.js';
import type { Case, CheckResult, Verdict } from '../../acp-check.js';
import { didYouMean } from '../../nearest.js';
import { printable } from '../../printable.js';
import { writeStderr } from '../../stderr.js';
import type { Call } from '../command.js';
import { FAILED, OK } from '../exit-code.js';
import { usageError } from '../parse.js';
import { hasColour, print, printJson, say } from '../stdout.js';
import type { ACP_FLAGS } from '../table/acp.js';
import { textTable } from '../text-table.js';

type AcpCall = Call<typeof ACP_FLAGS>;

/** There is nothing to judge: the client never came, or has no terminals. */
const NOTHING_JUDGED = 2;
const TIMEOUT_MS = 180_000;
/** For an answer of the client. */
const PATIENCE_MS = 15_000;

export async function acpCheck(call: AcpCall): Promise<number> {
  const cases = readCases(call.flags.only);
  if (call.flags.agent) return serveAgent(call, cases);
  if (call.flags.list) return listCases(call, cases);
  if (call.program.length > 0) return check(call, cases);
  throw usageError({ name: 'acp' }, 'acp check needs the client behind --, with {agent} where it takes its agent.');
}

function readCases(only: string | undefined): readonly Case[] {
  const asked = only?.split(',').map((word) => word.trim()) ?? [];
  const unknown = asked.find((word) => chosenCases([word]).length === 0);
  if (unknown === undefined) return chosenCases(asked);
  const names = CASES.map(({ name }) => name);
  throw usageError({ name: 'acp' }, `there is no case ${unknown}.${didYouMean(unknown, names)}`);
}

async function serveAgent({ flags: { report, dies } }: AcpCall, cases: readonly Case[]): Promise<number> {
  if (report === undefined) throw usageError({ name: 'acp' }, 'acp check --agent needs --report FILE.');
  const { stdin: input, stdout: output } = process;
  const how = await serveCheck({ input, output, report, cases, dies, patienceMs: PATIENCE_MS });
  return how === 'dead' ? FAILED : OK;
}

async function listCases({ flags }: AcpCall, cases: readonly Case[]): Promise<number> {
  const listed = cases.map(({ name, level, rule, source }) => ({ name, level, rule, source }));
  if (flags.json) await printJson(listed);
  else await print(textTable(listed.map(({ name, level, rule, source }) => [name, level, rule, source])));
  return OK;
}

async function check({ flags, program }: AcpCall, cases: readonly Case[]): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  const progress = new Progress(cases.length);
  const result = await checkClient({
    client: program,
    agent: ownAgent(flags.only),
    cases,
    timeoutMs: flags.timeout ?? TIMEOUT_MS,
    signal: stop.signal,
    onVerdict: () => progress.step(),
    onSilence: () =>
      say('the client has not started its agent yet; is {agent} where it takes it? (--verbose shows what it says)'),
    onClientOutput: (bytes) => flags.verbose && writeStderr(bytes.toString()),
  });
  progress.end();
  await (flags.json ? printJson(result) : tell(result));
  return exitCodeOf(result);
}

/** This very program, however it was started. */
function ownAgent(only: string | undefined): string[] {
  const self = [process.execPath, ...process.execArgv, process.argv[1]!];
  return [...self, 'acp', 'check', '--agent', ...(only === undefined ? [] : ['--only', only])];
}

/** For a person who waits. */
class Progress {
  readonly #isShown = process.stderr.isTTY;
  #done = 0;

  constructor(readonly count: number) {}

  step(): void {
    this.#done++;
    if (this.#isShown) writeStderr(`\r${this.#done} of ${this.count} cases`);
  }

  end(): void {
    if (this.#isShown) writeStderr('\r\x1b[K');
  }
}

const CAME = {
  'never-came': 'the client never began to talk to its agent; is {agent} where it takes it?',
  'never-prompted': 'the client has started its agent, and asked it for nothing',
  'no-terminals': 'the client does not say that it serves terminals: there is nothing to judge',
} as const;

async function tell(result: CheckResult): Promise<void> {
  if (result.came !== 'checked') return tellAbsence(result.came, result.lastWords);
  const { client, verdicts, isComplete } = result;
  if (client) say(`the client calls itself ${printable(client.name)} ${printable(client.version)}`);
  await print(textTable(CASE_GROUPS.flatMap(({ cases }) => rowsOf(cases, verdicts))));
  await print(
    verdicts
      .filter(({ outcome }) => outcome === 'fail')
      .flatMap(exchangeLines)
      .join(''),
  );
  say(inNumbers(verdicts));
  for (const { name, seen } of verdicts.filter(isBroken)) say(`MUST: ${name}: ${printable(seen)}`);
  if (!isComplete) say('the turn ended before all was asked for');
}

function tellAbsence(came: keyof typeof CAME, lastWords: string): void {
  say(CAME[came]);
  if (came === 'no-terminals' || lastWords.trim() === '') return;
  say('it said:');
  for (const line of lastWords.trim().split('\n')) say(`  ${printable(line)}`);
}

/** What was asked before it was seen that a rule does not hold. */
function exchangeLines({ name, exchange }: Verdict): string[] {
  if (exchange === null) return [];
  const { request, answer } = exchange;
  return [`\n${name}\n`, `  sent      ${printable(request)}\n`, `  answered  ${printable(answer ?? 'nothing yet')}\n`];
}

function isBroken({ level, outcome }: Verdict): boolean {
  return level === 'MUST' && outcome === 'fail';
}

function rowsOf(cases: readonly Case[], verdicts: readonly Verdict[]): string[][] {
  const ours = cases.map((one) => verdicts.find(({ name }) => name === one.name));
  return ours
    .filter((verdict) => verdict !== undefined)
    .map(({ outcome, name, level, rule, seen }) => [
      wordFor(outcome),
      name,
      level,
      printable(seen === '' ? rule : `${rule}: ${seen}`),
    ]);
}

function wordFor(outcome: Verdict['outcome']): string {
  if (outcome === 'pass') return 'ok';
  if (outcome === 'skipped') return 'skipped';
  return hasColour() ? '\x1b[31mFAIL\x1b[0m' : 'FAIL';
}

/** `91 cases: 88 hold, 2 do not (1 MUST, 1 advice), 1 skipped`. */
function inNumbers(verdicts: readonly Verdict[]): string {
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail');
  const skipped = verdicts.filter(({ outcome }) => outcome === 'skipped').length;
  const levels = (['MUST', 'SHOULD', 'advice'] as const)
    .map((level) => [failed.filter((verdict) => verdict.level === level).length, level] as const)
    .filter(([count]) => count > 0);
  const which = failed.length === 0 ? '' : ` (${levels.map(([count, level]) => `${count} ${level}`).join(', ')})`;
  const held = verdicts.length - failed.length - skipped;
  return `${verdicts.length} cases: ${held} hold, ${failed.length} do not${which}, ${skipped} skipped`;
}

function exitCodeOf({ came, isComplete, verdicts }: CheckResult): number {
  if (came !== 'checked') return NOTHING_JUDGED;
  return verdicts.some(isBroken) || !isComplete ? FAILED : OK;
}
