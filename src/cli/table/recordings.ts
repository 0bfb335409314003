/** The commands about recordings. Table entries only. */
import { command } from '../command.js';
import { EXPORT_FLAGS, PLAY_FLAGS, REC_FLAGS } from '../flags/recordings.js';

export const EXPORT = command({
  name: 'export',
  summary: 'Export a terminal, or one of its commands, as a recording',
  description: [
    'Every terminal is a recording: its output is kept with the times at which it was written. The files are asciicast, ' +
      'which tenacitty play, asciinema and other players play; lines; or bytes. A running terminal is exported up ' +
      'to now. docs/recordings.md describes the files.',
  ],
  operands: [{ name: 'ID' }],
  flags: EXPORT_FLAGS,
  examples: [
    { line: 'tenacitty export $ID -o session.cast', doc: 'a file for players' },
    { line: 'tenacitty export $ID --format text', doc: 'the lines, on stdout' },
  ],
  load: async () => (await import('../commands/recordings.js')).exportRecording,
});

export const PLAY = command({
  name: 'play',
  summary: 'Play a recording in your terminal',
  description: [
    'Plays a terminal, running or ended, or an asciicast file of version 2 or 3, from any program.',
    'Keys: space pauses and continues, left and right skip 5 seconds, [ and ] go to the previous and the next command, ' +
      '. shows the next output while paused, q quits.',
  ],
  operands: [{ name: 'FILE|ID' }],
  flags: PLAY_FLAGS,
  examples: [{ line: 'tenacitty play --speed 1000 --idle-limit 10ms $ID', doc: 'fast, and without pauses' }],
  load: async () => (await import('../commands/recordings.js')).play,
});

export const REC = command({
  name: 'rec',
  summary: 'Run a program in a new terminal, and keep the terminal as a recording',
  description: [
    'Runs the program like tenacitty run --keep, and prints on stderr how to play and export it. The recording is kept ' +
      'as long as any ended terminal.',
  ],
  program: 'required',
  flags: REC_FLAGS,
  examples: [{ line: 'tenacitty rec --name calendar -- date', doc: 'record what date prints' }],
  load: async () => (await import('../commands/recordings.js')).record,
});
