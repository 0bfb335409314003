/** The flags of the commands about recordings. */
import { choice, count, duration, FOR_ONE, text, valued } from '../flag.js';
import { CREATION_FLAGS, DETACH_KEY } from './start.js';

// Not imported from the contract, because `--help` would then load the contract's dependencies.
const FORMATS = ['asciicast-v3', 'asciicast-v2', 'text', 'ansi', 'raw'] as const;

const IDLE_LIMIT = duration('Shortens longer pauses to this.');

export const EXPORT_FLAGS = {
  label: FOR_ONE,
  format: choice(
    FORMATS,
    'asciicast-v3, asciicast-v2: with times, for players. text: lines as displayed. ansi: lines with colours. raw: the ' +
      'bytes as written. Default: asciicast-v3.',
  ),
  output: text('FILE', 'Writes to FILE. Default: stdout.', 'o'),
  command: count('N', 'Exports only command N.'),
  idleLimit: IDLE_LIMIT,
} as const;

const MAX_SPEED = 1000;

function readSpeed(given: string): number | undefined {
  const speed = /^\d+(\.\d+)?x?$/.test(given) ? Number.parseFloat(given) : 0;
  return speed > 0 && speed <= MAX_SPEED ? speed : undefined;
}

export const PLAY_FLAGS = {
  speed: valued({
    valueName: 'N',
    doc: 'Plays N times as fast. Default: 1.',
    expected: `a number above 0, at most ${MAX_SPEED}`,
    read: readSpeed,
  }),
  idleLimit: IDLE_LIMIT,
  at: duration('Starts this long after the beginning.'),
  command: count('N', 'Plays only command N; of a file, starts at its Nth marker.'),
} as const;

export const REC_FLAGS = { ...CREATION_FLAGS, detachKey: DETACH_KEY } as const;
