/** Parses the command line. Has no other effect. */
import { parseArgs } from 'node:util';
import type { Case } from './case.js';
import { CASES, chosenCases } from './cases.js';
import { UsageError } from './usage-error.js';

export const HELP = `Usage: acp-check [flags] -- CLIENT…

Tests the terminals of a client of the Agent Client Protocol. CLIENT is its command line, which must start {agent} as
its agent, and send it any prompt. {agent} is replaced by the path of a program, {agent-line} by a shell command line,
{agent-words} by several words.

Exit codes: 0 if all MUST rules are met, 1 if a MUST rule is broken, 2 for a usage error or if the client never connected or
has no terminals.

Flags:
  --only NAME,…      runs only these cases, or those whose names start with NAME, such as kill
  --timeout SECONDS  time limit for the whole check (180)
  --json             prints the report as JSON
  --list             prints the cases without running them
  --verbose          forwards the output of the client
  --version          prints the version
  --help             prints this help

Examples:
  acp-check -- acpx --approve-all --agent "{agent}" exec go
  acp-check --list
`;

const FLAGS = {
  only: { type: 'string' },
  timeout: { type: 'string', default: '180' },
  json: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  // Set when the check starts itself again as the agent.
  agent: { type: 'boolean', default: false },
  report: { type: 'string' },
  dies: { type: 'boolean', default: false },
} as const;

export interface CheckArguments {
  readonly flags: ReturnType<typeof parse>['values'];
  readonly cases: readonly Case[];
  readonly timeoutMs: number;
  /** The words after `--`. */
  readonly client: readonly string[];
}

/** Parses the arguments. @throws `UsageError` with an explanation. */
export function readCommandLine(args: readonly string[]): CheckArguments {
  const { values: flags, positionals, tokens } = parse(args);
  const end = tokens.find(({ kind }) => kind === 'option-terminator')?.index ?? args.length;
  const stray = tokens.find(({ kind, index }) => kind === 'positional' && index < end);
  if (stray) throw new UsageError('Give the client after --: acp-check -- CLIENT…');
  return { flags, cases: readCases(flags.only), timeoutMs: readTimeout(flags.timeout), client: positionals };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, allowPositionals: true, tokens: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function readCases(only: string | undefined): readonly Case[] {
  const asked = only?.split(',').map((word) => word.trim()) ?? [];
  const unknown = asked.find((word) => chosenCases([word]).length === 0);
  if (unknown === undefined) return chosenCases(asked);
  const subjects = new Set(CASES.map(({ name }) => name.split('-', 1)[0]));
  throw new UsageError(`Unknown case ${unknown}; names of cases start with ${[...subjects].join(', ')} (see --list)`);
}

function readTimeout(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && Number.isFinite(seconds)) return seconds * 1000;
  throw new UsageError(`--timeout: expected a number of seconds, given "${text}"`);
}
