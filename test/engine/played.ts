/** Exports recordings of terminals, and plays them on a new emulator. */
import { check } from '../../src/check.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import { readRecording, type ReadRecording } from '../../src/contract/recording.js';
import { exported } from '../../src/recording/export.js';
import { readCast, type Cast } from '../../src/recording/read-cast.js';
import { Screen } from '../../src/screen/screen.js';

/** Returns a recording as text. */
export async function exportOf(manager: TerminalManager, id: string, request: ReadRecording = {}): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await exported(manager, id, check('', readRecording, request)))
    pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}

export interface ParsedCast extends Cast {
  readonly header: {
    readonly version: number;
    readonly term: { readonly cols: number; readonly rows: number };
    readonly timestamp: number;
    readonly tenacitty: { readonly timing: string; readonly dropped: number };
  };
}

export async function castOf(manager: TerminalManager, id: string, request: ReadRecording = {}): Promise<ParsedCast> {
  const lines = (await exportOf(manager, id, request)).trimEnd().split('\n');
  return { header: JSON.parse(lines[0]!) as ParsedCast['header'], ...(await readCast(each(lines))) };
}

/** Returns what a new emulator shows after a recording. */
export function played({ header, events }: ParsedCast) {
  const screen = new Screen(header.term.cols, header.term.rows, { onRowLeft: () => {}, onReply: () => {} });
  for (const { code, data } of events) {
    if (code === 'o') screen.write(Buffer.from(data));
    if (code === 'r') screen.resize(...(data.split('x').map(Number) as [number, number]));
  }
  return screen.snapshot('ansi');
}

/** Returns everything that was printed. */
export function printed({ events }: Cast): string {
  return events.map(({ code, data }) => (code === 'o' ? data : '')).join('');
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
