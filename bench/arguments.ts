/** Parses the arguments of the benchmark. Starts nothing. */
import { parseArgs } from 'node:util';

export interface BenchRequest {
  readonly json: boolean;
  readonly quick: boolean;
  readonly rounds: number;
  readonly peers: boolean;
  /** Names of rows; empty means all. */
  readonly only: readonly string[];
  /** The date under which the results are kept, YYYY-MM-DD. */
  readonly date: string;
  /** A note for readers of the results. */
  readonly note: string;
}

const DEFAULT_ROUNDS = 5;
const QUICK_ROUNDS = 3;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

export const USAGE = `npm run bench -- [options]
  --quick        smaller inputs and fewer rounds; results are not saved
  --only NAME    measure only this row; can be repeated; results are not saved
  --rounds N     number of measurements of each contender (default ${DEFAULT_ROUNDS}, quick ${QUICK_ROUNDS})
  --peers        also measure other MCP servers, installed from npm into bench/.build/ (300 MB)
  --json         print JSON instead of the table
  --date D       save the results as bench/results/D.md and .json (default: today, YYYY-MM-DD)
  --note TEXT    a sentence to add to the results, such as "other work was running"`;

/** @throws Error, with the usage, for invalid arguments. */
export function parseRequest(argv: readonly string[], rowNames: readonly string[]): BenchRequest {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      peers: { type: 'boolean', default: false },
      date: { type: 'string', default: new Date().toISOString().slice(0, 'YYYY-MM-DD'.length) },
      note: { type: 'string', default: '' },
    },
  });
  const rounds = Number(values.rounds ?? (values.quick ? QUICK_ROUNDS : DEFAULT_ROUNDS));
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`--rounds: expected a whole number of at least 1\n${USAGE}`);
  if (!DATE.test(values.date)) throw new Error(`--date: expected YYYY-MM-DD\n${USAGE}`);
  const unknown = values.only.find((name) => !rowNames.includes(name));
  if (unknown !== undefined) throw new Error(`--only: no row ${unknown}; there are ${rowNames.join(', ')}\n${USAGE}`);
  return { ...values, rounds };
}
