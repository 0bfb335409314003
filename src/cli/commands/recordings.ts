/** `tenacitty export`, `tenacitty play` and `tenacitty rec`: export, play and make recordings. */
import { createReadStream, existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { check } from '../../check.js';
import { readRecording, type RecordingRequest } from '../../contract/recording.js';
import { TerminalError } from '../../errors.js';
import { asciicastV3 } from '../../recording/asciicast.js';
import { exported } from '../../recording/export.js';
import { openRecording } from '../../recording/open-recording.js';
import { readCast, type Cast } from '../../recording/read-cast.js';
import type { ParsedCall } from '../command.js';
import { commandFormatter } from '../command-formatter.js';
import { OK } from '../exit-code.js';
import type { EXPORT_FLAGS, PLAY_FLAGS, REC_FLAGS } from '../flags/recordings.js';
import { Player } from '../play/player.js';
import { PlayerKeys } from '../play/player-keys.js';
import { oneSelected } from '../selection.js';
import { print, printMessage } from '../stdout.js';
import { findTerminal, shortId } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';
import { runProgram } from './run.js';

/** The file name that means stdout. */
const STDOUT = '-';

export function exportRecording(call: ParsedCall<typeof EXPORT_FLAGS>): Promise<number> {
  const { format, output = STDOUT, command, idleLimit: idleLimitMs } = call.flags;
  return withEngine(call.settings, async (manager) => {
    const { id } = await oneSelected(manager, call);
    const pieces = await exported(manager, id, requestOf({ format, command, idleLimitMs }));
    if (output === STDOUT) for await (const piece of pieces) await print(piece);
    else await write(output, pieces);
    return OK;
  });
}

function requestOf(given: object): RecordingRequest {
  return check('', readRecording, given);
}

async function write(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  try {
    await writeFile(path, pieces);
  } catch (cause) {
    if (cause instanceof TerminalError) throw cause;
    const message = `The recording cannot be written: ${(cause as Error).message}`;
    throw new TerminalError('INTERNAL_ERROR', message, { path }, { cause });
  }
}

export async function play(call: ParsedCall<typeof PLAY_FLAGS>): Promise<number> {
  const { speed = 1, at = 0, command } = call.flags;
  const [source = ''] = call.operands;
  const isFile = /\/|\.cast$/.test(source) || existsSync(source);
  const cast = isFile ? await castOfFile(source, call.flags.idleLimit) : await castOfTerminal(source, call);
  const player = new Player(cast, speed);
  if (isFile && command !== undefined) player.goToMarker(command);
  const keys = new PlayerKeys(player);
  keys.open();
  try {
    await player.play(at);
  } finally {
    keys.close();
  }
  return OK;
}

async function castOfFile(path: string, idleLimitMs?: number): Promise<Cast> {
  const stream = createReadStream(path);
  // The lines also fail, but not always with the reason.
  const failed = new Promise<never>((_resolve, reject) => stream.once('error', reject));
  const reading = readCast(createInterface({ input: stream, crlfDelay: Infinity }), idleLimitMs);
  try {
    return await Promise.race([reading, failed]);
  } catch (cause) {
    if (cause instanceof TerminalError) throw cause;
    throw new TerminalError('READ_FAILED', `${path} cannot be read: ${(cause as Error).message}`, { path }, { cause });
  } finally {
    stream.destroy();
  }
}

function castOfTerminal(idGiven: string, { flags, settings }: ParsedCall<typeof PLAY_FLAGS>): Promise<Cast> {
  return withEngine(settings, async (manager) => {
    const { id } = await findTerminal(manager, idGiven);
    const recording = await openRecording(manager, id, requestOf({ command: flags.command }));
    return readCast(asciicastV3(recording), flags.idleLimit);
  });
}

export function record(call: ParsedCall<typeof REC_FLAGS>): Promise<number> {
  const flags = { ...call.flags, keep: true, detach: false, json: false, noEcho: false, raw: false };
  return runProgram({ ...call, flags }, ({ id }, options) => {
    const formatCommand = commandFormatter(options);
    const short = shortId(id);
    printMessage(`recorded as terminal ${short}; to play it: ${formatCommand(`play ${short}`)}`);
  });
}
