/**
 * Output of programs that address the cursor, generated so that it is the same everywhere: an editor that scrolls and
 * is typed into, a process monitor that repaints everything, and several progress bars. 80 × 24. Pure.
 */
import { createRandom } from './random.js';
import type { Random } from './random.js';

const COLS = 80;
const ROWS = 24;
const BLOCK_FRAMES = 2000;
const SEED = 7_331;
const ESC = '\x1b[';

const at = (row: number, column = 1): string => `${ESC}${row};${column}H`;
const colour = (code: string | number, text: string): string => `${ESC}${code}m${text}${ESC}m`;

/** Every block begins and ends in the same state, so that blocks can be concatenated. */
const onAlternateScreen = (body: string): Buffer => Buffer.from(`${ESC}?1049h${ESC}?25l${body}${ESC}?25h${ESC}?1049l`);

const frames = (frame: (random: Random, index: number) => string): string => {
  const random = createRandom(SEED);
  return Array.from({ length: BLOCK_FRAMES }, (_, index) => frame(random, index)).join('');
};

// --- the editor -------------------------------------------------------------------------------------

const WORDS = ['const', 'return', 'await', 'terminal', 'offset', 'for', 'lines', 'if', '===', '=>', '{', '}', '(row)'];
const KEYWORDS = new Set(['const', 'return', 'await', 'for', 'if']);

function codeLine(random: Random): string {
  const words = Array.from({ length: 2 + random.int(8) }, () => random.pick(WORDS));
  const painted = words.map((word) => (KEYWORDS.has(word) ? colour('38;5;130', word) : word));
  return ' '.repeat(2 * random.int(6)) + painted.join(' ');
}

const lineNumber = (n: number): string => colour('38;5;242', String(n).padStart(4)) + ' ';
const ruler = (n: number): string => `${at(ROWS, 63)}${n},1${' '.repeat(9)}${n % 100}%`;

/** Scrolls up one line, as vim does for Ctrl-E, with a scroll region above the status line. */
function scrollOne(random: Random, n: number): string {
  const region = `${ESC}1;${ROWS - 1}r${at(ROWS - 1)}\n${ESC}r`;
  return `${ESC}?25l${region}${at(ROWS - 1)}${lineNumber(n)}${codeLine(random)}${ESC}K${ruler(n)}${at(12, 6)}${ESC}?25h`;
}

function redrawPage(random: Random, n: number): string {
  const rows = Array.from({ length: ROWS - 1 }, (_, y) => `${at(y + 1)}${lineNumber(n + y)}${codeLine(random)}${ESC}K`);
  return `${ESC}?25l${rows.join('')}${ruler(n)}${at(1, 6)}${ESC}?25h`;
}

/** Writes each key, the rest of the line again after it, and the column in the ruler. */
function typeWord(random: Random, n: number): string {
  const row = 1 + (n % (ROWS - 1));
  const rest = codeLine(random);
  const keys = [...random.pick(WORDS)].map(
    (key, x) => `${at(row, 6 + x)}${key}${rest}${ESC}K${ruler(n)}${at(row, 7 + x)}`,
  );
  return keys.join('');
}

export const editor = (): Buffer =>
  onAlternateScreen(
    frames((random, n) => {
      if (n % 40 === 0) return redrawPage(random, n);
      return random.int(3) === 0 ? typeWord(random, n) : scrollOne(random, n);
    }),
  );

// --- the process monitor ----------------------------------------------------------------------------

function meter(random: Random, name: string): string {
  const width = COLS / 2 - 12;
  const used = random.int(width);
  const bar = colour(32, '|'.repeat(used >> 1)) + colour(31, '|'.repeat(used - (used >> 1))) + ' '.repeat(width - used);
  return `${colour(36, name)}${colour(1, '[')}${bar}${colour('38;5;245', `${String(used).padStart(3)}.0%`)}${colour(1, ']')}`;
}

function processRow(random: Random, isSelected: boolean): string {
  const pid = String(random.int(99_999)).padStart(6);
  const load = `${random.int(99)}.${random.int(9)}`.padStart(5);
  const facts = `root       20   0 ${ESC}36m${random.int(9)}${ESC}39m,${random.int(999)}M ${ESC}32mS${ESC}39m`;
  const row = `${pid} ${facts} ${load} 0:${random.int(60)}.${random.int(99)} ${ESC}1m/usr/bin/node${ESC}22m server.js`;
  return isSelected ? `${ESC}30;46m${row}${ESC}K${ESC}m` : `${row}${ESC}m${ESC}K`;
}

export const processMonitor = (): Buffer =>
  onAlternateScreen(
    frames((random, n) => {
      const meters = [0, 1, 2].map(
        (y) => `${at(y + 1)}${meter(random, ` ${y}`)}${at(y + 1, 41)}${meter(random, ` ${y + 3}`)}`,
      );
      const head = `${at(5)}${ESC}30;42m  PID USER      PRI  NI  VIRT S CPU% TIME+  Command${ESC}K${ESC}m`;
      const rows = Array.from({ length: ROWS - 6 }, (_, y) => at(y + 6) + processRow(random, y === n % 5));
      return meters.join('') + head + rows.join('') + `${at(ROWS)}${colour('30;46', 'F1Help  F9Kill  F10Quit')}`;
    }),
  );

// --- progress bars ----------------------------------------------------------------------------------

const LAYERS = ['a1b2c3d4e5f6', '0f1e2d3c4b5a', '9988aabbccdd', '123456abcdef', 'fedcba654321', '77aa88bb99cc'];

/** As when pulling an image: moves up by the number of bars and redraws each. */
export const progressBars = (): Buffer => {
  const width = 30;
  const bar = (random: Random, layer: string, n: number): string => {
    const done = (n + random.int(3)) % (width + 1);
    const picture = colour(32, '━'.repeat(done)) + colour('38;5;237', '━'.repeat(width - done));
    return `\r${layer}: Downloading ${picture} ${done}.${random.int(9)}MB/${width}MB${ESC}K\n`;
  };
  const start = LAYERS.map((layer) => `${layer}: Waiting\n`).join('');
  const draw = (random: Random, n: number) =>
    `${ESC}${LAYERS.length}A${LAYERS.map((layer, i) => bar(random, layer, n + i * 5)).join('')}`;
  return Buffer.from(start + frames(draw) + 'Status: Downloaded newer image\n');
};
