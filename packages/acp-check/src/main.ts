#!/usr/bin/env node
/** `acp-check`: checks how an ACP client implements terminals. Also serves the agent that runs the checks. */
import { serveCheck } from './agent.js';
import { checkClient } from './check.js';
import type { CheckResult } from './check.js';
import { HELP, readCommandLine } from './command-line.js';
import type { CheckArguments } from './command-line.js';
import { isBroken, resultText } from './result-text.js';
import { printable, textTable } from './text.js';
import { UsageError } from './usage-error.js';
import { VERSION } from './version.js';

const OK = 0;
const FAILED = 1;
/** Exit code if there is nothing to judge, because the client never started the agent or has no terminals. */
const NOTHING_JUDGED = 2;
/** Timeout for a response from the client. */
const TIMEOUT_MS = 15_000;

process.stdout.on('error', () => process.exit(FAILED));
const code = await run(process.argv.slice(2)).catch((error: Error) => {
  if (!(error instanceof UsageError)) throw error;
  printMessage(`${error.message}. See acp-check --help.`);
  return NOTHING_JUDGED;
});
// Exits without waiting for processes that the client left behind, because they may hold pipes open.
process.stdout.write('', () => process.exit(code));

async function run(args: readonly string[]): Promise<number> {
  const checkArguments = readCommandLine(args);
  const { flags, client } = checkArguments;
  if (flags.help) return print(HELP);
  if (flags.version) return print(`${VERSION}\n`);
  // Exits immediately, without waiting for a client that no longer reads.
  if (flags.agent) process.exit(await serveAgent(checkArguments));
  if (flags.list) return listCases(checkArguments);
  if (client.length > 0) return check(checkArguments);
  throw new UsageError('CLIENT is missing: acp-check -- CLIENT…, with {agent} in place of its agent');
}

async function serveAgent({ flags: { report, dies }, cases }: CheckArguments): Promise<number> {
  if (report === undefined) throw new UsageError('--agent needs --report FILE');
  const { stdin: input, stdout: output } = process;
  const how = await serveCheck({ input, output, report, cases, dies, timeoutMs: TIMEOUT_MS });
  return how === 'dead' ? FAILED : OK;
}

function listCases({ flags, cases }: CheckArguments): number {
  const listed = cases.map(({ name, level, rule, source }) => ({ name, level, rule, source }));
  if (flags.json) return printJson(listed);
  return print(textTable(listed.map(({ name, level, rule, source }) => [name, level, rule, source])));
}

async function check({ flags, cases, timeoutMs, client }: CheckArguments): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  let done = 0;
  const result = await checkClient({
    client,
    agent: ownAgent(flags.only),
    cases,
    timeoutMs,
    signal: stop.signal,
    onVerdict: () => showProgress(`\r${++done} of ${cases.length} cases`),
    onSilence: () =>
      printMessage(
        "the client has not started its agent yet; is {agent} in the right place? (--verbose shows the client's " +
          'output)',
      ),
    onClientOutput: (bytes) => flags.verbose && process.stderr.write(bytes),
  });
  showProgress('\r\x1b[K');
  if (flags.json) printJson(result);
  else tell(result);
  if (result.came !== 'checked') return NOTHING_JUDGED;
  return result.verdicts.some(isBroken) || !result.isComplete ? FAILED : OK;
}

/** Returns the command that runs this program, however the program was started. */
function ownAgent(only: string | undefined): string[] {
  const self = [process.execPath, ...process.execArgv, process.argv[1]!];
  return [...self, '--agent', ...(only === undefined ? [] : ['--only', only])];
}

/** Shows progress to a person who is waiting. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(text);
}

function tell(result: CheckResult): void {
  const isColoured = process.stdout.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  const { table, messages } = resultText(result, isColoured);
  print(table);
  for (const line of messages) printMessage(line);
}

function print(text: string): number {
  process.stdout.write(text);
  return OK;
}

function printJson(value: unknown): number {
  return print(`${JSON.stringify(value, null, process.stdout.isTTY ? 2 : 0)}\n`);
}

function printMessage(line: string): void {
  process.stderr.write(`acp-check: ${printable(line)}\n`);
}
