/** Parses the command line. Has no other effect. */
import { parseArgs } from 'node:util';
import type { Case } from './case.js';
import { CASES, chosenCases } from './cases.js';
import { UsageError } from './usage-error.js';

export const HELP = `Usage: acp-check [flags] -- CLIENT…

Tries the terminals of a client of the Agent Client Protocol. CLIENT is its command line, which is to start {agent} as
its agent, with any prompt: {agent} becomes the path of a program ({agent-line} a line for a shell, {agent-words}
several words).

Exit codes: 0 all holds that the protocol says MUST, 1 something does not, 2 there is nothing to judge: wrong usage, or
the client never came, or has no terminals.

Flags:
  --only NAME,…      only these cases, or those whose names begin so, as kill
  --timeout SECONDS  how long it may take in all (180)
  --json             prints the report as JSON
  --list             prints the cases, and runs none
  --verbose          passes on what the client says
  --version          prints the version
  --help             prints this

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
  // Used when the check starts itself again, as the agent.
  agent: { type: 'boolean', default: false },
  report: { type: 'string' },
  dies: { type: 'boolean', default: false },
} as const;

export interface Wishes {
  readonly flags: ReturnType<typeof parse>['values'];
  readonly cases: readonly Case[];
  readonly timeoutMs: number;
  /** The words after `--`. */
  readonly client: readonly string[];
}

/** @throws `UsageError` with an explanation. */
export function readCommandLine(args: readonly string[]): Wishes {
  const { values: flags, positionals, tokens } = parse(args);
  const end = tokens.find(({ kind }) => kind === 'option-terminator')?.index ?? args.length;
  const stray = tokens.find(({ kind, index }) => kind === 'positional' && index < end);
  if (stray) throw new UsageError('put the client behind --: acp-check -- CLIENT…');
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
  throw new UsageError(`there is no case ${unknown}; they begin with ${[...subjects].join(', ')} (see --list)`);
}

function readTimeout(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && Number.isFinite(seconds)) return seconds * 1000;
  throw new UsageError(`--timeout: expected a number of seconds, given "${text}"`);
}
