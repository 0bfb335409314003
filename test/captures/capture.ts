/**
 * Recorded terminal output as files: `NAME.raw` holds the bytes that a program wrote into a terminal of
 * the one size that all captures have. It does not know how they are recorded or what they are for.
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
