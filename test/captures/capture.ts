/**
 * Recorded terminal output as files: `NAME.raw` contains the bytes that a program wrote to a terminal. All captures
 * have the same size.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const CAPTURE_SIZE = { cols: 80, rows: 24 } as const;

const ENDING = '.raw';

export function captureNames(): string[] {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(ENDING));
  return files.map((file) => file.slice(0, -ENDING.length)).sort();
}

export function readCapture(name: string): Buffer {
  return readFileSync(pathOf(name));
}

export function writeCapture(name: string, bytes: Uint8Array): void {
  writeFileSync(pathOf(name), bytes);
}

function pathOf(name: string): string {
  return join(import.meta.dirname, name + ENDING);
}
