/**
 * Log lines as services, test runners and builds write them: mostly ASCII of 60 to 160 columns, some blank, some with
 * other characters. Plain, or coloured in one of two common ways. Pure.
 */
import { createRandom } from './random.js';
import type { Random } from './random.js';

const BLOCK_LINES = 40_000;
const SEED = 20_411;

const LEVELS = ['INFO', 'INFO', 'INFO', 'DEBUG', 'DEBUG', 'WARN', 'ERROR'] as const;
const PARTS = ['http', 'db.pool', 'scheduler', 'cache', 'auth.session', 'worker-3', 'billing', 'search.index'];
const DOINGS = [
  'request completed',
  'connection returned to pool',
  'cache miss, reading through',
  'job taken from queue',
  'token refreshed for user',
  'retrying after timeout',
  'compiled module ./src/pages/orders/list.tsx',
  'größere Antwort als erwartet → gekürzt',
  '✓ keeps the order of items when the page is turned',
];

const LEVEL_COLOURS = { INFO: 32, DEBUG: 34, WARN: 33, ERROR: 31 } as const;
const ESC = '\x1b[';

interface LogEntry {
  readonly time: string;
  readonly level: (typeof LEVELS)[number];
  readonly part: string;
  readonly doing: string;
  readonly path: string;
  readonly ms: number;
}

type Painter = (entry: LogEntry) => string;

/** Resets attributes individually, as chalk and most Node tools do. */
const likeChalk: Painter = ({ time, level, part, doing, path, ms }) =>
  `${ESC}2m${time}${ESC}22m ${ESC}${LEVEL_COLOURS[level]}m${level}${ESC}39m ${ESC}1m[${part}]${ESC}22m ${doing} ` +
  `${ESC}4m${path}${ESC}24m ${ESC}38;5;244m+${ms}ms${ESC}39m`;

/** Resets everything after each piece, as Go, Rust and Python tools do. */
const likeContainers: Painter = ({ time, level, part, doing, path, ms }) =>
  `${ESC}36m${part.padEnd(12)} |${ESC}0m ${ESC}90m${time}${ESC}0m ${ESC}1;${LEVEL_COLOURS[level]}m${level}${ESC}0m ` +
  `${doing} ${ESC}38;2;120;170;255mpath${ESC}0m=${path} ${ESC}35mduration_ms${ESC}0m=${ms}`;

const plainly: Painter = ({ time, level, part, doing, path, ms }) =>
  `${time} ${level.padEnd(5)} [${part}] ${doing} path=${path} duration_ms=${ms}`;

export const plainLog = (): Buffer => logBlock(() => plainly);
export const colouredLog = (): Buffer => logBlock((random) => random.pick([likeChalk, likeContainers]));

/** Returns the last lines of a block as displayed, without colours. */
export function lastLinesSeen(block: Buffer, count: number): string {
  const lines = block.toString('utf8').split('\n').slice(0, -1).slice(-count);
  return lines.join('\n').replaceAll(/\x1b\[[0-9;]*m/g, '');
}

function logBlock(painterFor: (random: Random) => Painter): Buffer {
  const random = createRandom(SEED);
  const lines = Array.from({ length: BLOCK_LINES }, (_, index) =>
    random.int(50) === 0 ? '' : painterFor(random)(logEntry(random, index)),
  );
  return Buffer.from(`${lines.join('\n')}\n`);
}

function logEntry(random: Random, index: number): LogEntry {
  const time = new Date(Date.UTC(2026, 0, 1) + index * 37).toISOString();
  const path = `/api/v1/orders/${random.int(1e6)}/items${'/details'.repeat(random.int(6))}`;
  const pieces = { part: random.pick(PARTS), doing: random.pick(DOINGS), path, ms: random.int(2000) };
  return { time, level: random.pick(LEVELS), ...pieces };
}
