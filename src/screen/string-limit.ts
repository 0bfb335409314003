/**
 * Limits the strings (OSC, DCS) that an emulator collects before it acts on them: a string that gets too long is
 * discarded, and the rest of it is ignored up to its end. SOS, PM and APC strings need no limit, because the emulator
 * does not store them.
 */
import type { EmulatorCore, StringParser } from './internals.js';

/**
 * Maximum size of one string in bytes of UTF-8, without its introducer. Real terminals allow from 4 KiB to a few MiB.
 */
export const MAX_STRING_BYTES = 64 << 10;

/** States of the emulator's parser while it is collecting a string. */
const OSC_STRING = 8;
const DCS_PASSTHROUGH = 13;

/**
 * Counts one string at a time: there is never more than one. The cut-off point does not depend on how writes are split.
 */
export class StringLimit {
  readonly #core: EmulatorCore;
  #bytes = 0;

  constructor(core: EmulatorCore) {
    this.#core = core;
    const { osc, dcs } = core.stringParsers;
    const [start, hook] = [osc.start.bind(osc), dcs.hook.bind(dcs)];
    osc.start = () => {
      this.#bytes = 0;
      start();
    };
    dcs.hook = (name, params) => {
      this.#bytes = 0;
      hook(name, params);
    };
    this.#bound(osc);
    this.#bound(dcs);
  }

  /** Whether the string being collected has been discarded. */
  get isCut(): boolean {
    const { parserState } = this.#core;
    return (parserState === OSC_STRING || parserState === DCS_PASSTHROUGH) && this.#bytes > MAX_STRING_BYTES;
  }

  #bound(strings: StringParser): void {
    const put = strings.put.bind(strings);
    strings.put = (codePoints, from, to) => {
      if (this.#bytes > MAX_STRING_BYTES) return;
      this.#bytes += byteLength(codePoints, from, to);
      if (this.#bytes > MAX_STRING_BYTES) strings.reset();
      else put(codePoints, from, to);
    };
  }
}

function byteLength(codePoints: Uint32Array, from: number, to: number): number {
  let bytes = 0;
  for (let at = from; at < to; at++) {
    const codePoint = codePoints[at]!;
    bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x1_0000 ? 3 : 4;
  }
  return bytes;
}
