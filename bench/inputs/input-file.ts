/** Input files for floods: a block of output, repeated. They are removed after use. */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD_DIRECTORY } from '../reference/reference.js';

export interface InputFile {
  readonly path: string;
  readonly bytes: number;
  /** The number of line feeds in it. */
  readonly lines: number;
  /** Its size after the pseudo-terminal has turned each line feed into CR LF. */
  readonly outputBytes: number;
}

const LF = 0x0a;

/** Calls `use` with a file of about `bytes` bytes, made of whole blocks, and removes it afterwards. */
export async function withInputFile<Result>(
  name: string,
  block: Uint8Array,
  bytes: number,
  use: (file: InputFile) => Promise<Result>,
): Promise<Result> {
  const path = join(BUILD_DIRECTORY, `${name}.${process.pid}.input`);
  try {
    return await use(writeBlocks(path, block, Math.max(1, Math.round(bytes / block.length))));
  } finally {
    rmSync(path, { force: true });
  }
}

function writeBlocks(path: string, block: Uint8Array, count: number): InputFile {
  const fd = openSync(path, 'w');
  try {
    for (let i = 0; i < count; i++) writeSync(fd, block);
  } finally {
    closeSync(fd);
  }
  const lines = count * block.filter((byte) => byte === LF).length;
  const bytes = count * block.length;
  return { path, bytes, lines, outputBytes: bytes + lines };
}
