/** Carries one direction, line by line and no faster than it is taken. It knows no protocol. */
import type { Readable } from 'node:stream';
import { LineCutter } from './line-cutter.js';
import type { LineWriter } from './line-writer.js';

export interface PumpOptions {
  readonly from: Readable;
  readonly to: LineWriter;
  /** The line as it is to go on; null if it is not to. */
  readonly take: (line: Buffer) => Buffer | null;
  /** Resolves when more may come in; asked between chunks. Default: at once. */
  readonly held?: () => Promise<void>;
}

/** Resolves when nothing more comes, or what comes cannot be read. */
export async function pump({ from, to, take, held }: PumpOptions): Promise<void> {
  const cutter = new LineCutter();
  try {
    for await (const chunk of from) {
      to.cork();
      for (const { bytes, isLine, isLineEnd } of cutter.cut(chunk as Buffer)) {
        const passed = isLine ? take(bytes) : bytes;
        if (passed !== null) to.pass(passed, isLineEnd);
      }
      to.uncork();
      await to.ready();
      await held?.();
    }
  } catch {
    // What cannot be read any more has ended.
  }
  for (const { bytes } of cutter.end()) to.pass(bytes, false);
}
