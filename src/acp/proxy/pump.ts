/** Copies one direction line by line, with back-pressure. */
import type { Readable } from 'node:stream';
import { LineSplitter } from './line-splitter.js';
import type { LineWriter } from './line-writer.js';

export interface PumpOptions {
  readonly from: Readable;
  readonly to: LineWriter;
  /** Returns the line to pass on, or null to drop the line. */
  readonly take: (line: Buffer) => Buffer | null;
  /** Resolves when more may be read. Called between chunks. Default: resolves immediately. */
  readonly held?: () => Promise<void>;
}

/** Resolves when the input has ended or can no longer be read. */
export async function pump({ from, to, take, held }: PumpOptions): Promise<void> {
  const splitter = new LineSplitter();
  try {
    for await (const chunk of from) {
      to.cork();
      for (const { bytes, isLine, isLineEnd } of splitter.split(chunk as Buffer)) {
        const passed = isLine ? take(bytes) : bytes;
        if (passed !== null) to.pass(passed, isLineEnd);
      }
      to.uncork();
      await to.ready();
      await held?.();
    }
  } catch {
    // A stream that can no longer be read counts as ended.
  }
  for (const { bytes } of splitter.end()) to.pass(bytes, false);
}
