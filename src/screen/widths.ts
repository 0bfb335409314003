/**
 * Provides character widths, and which characters join the previous one, by grapheme cluster, as in the browser's
 * emulator. Caches the results of the add-on that computes them.
 */
import { POOL_SIZE } from './no-buffer-pool.js';
import * as addon from '@xterm/addon-unicode-graphemes';

/** The emulator's interface for widths; results are packed as kind, width and whether the character joins. */
export interface UnicodeVersionProvider {
  readonly version: string;
  wcwidth(codePoint: number): 0 | 1 | 2;
  charProperties(codePoint: number, preceding: number): number;
}

/** The kind of character follows these lower bits of a result: two for the width, one for joining. */
const KIND_SHIFT = 3;
const PAGE_BITS = 8;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;
/** Characters with this code point or a higher one are too rare to be cached. */
const REMEMBERED = 0x20000;
/**
 * There are only a few dozen states of the preceding character; this limit guards against a future add-on that has
 * more.
 */
const MAX_TABLES = 256;
const UNKNOWN = -1;

/** Returns what the add-on would register with a terminal. */
function providerOf(addon: { activate(terminal: never): void }): UnicodeVersionProvider {
  const providers = new Map<string, UnicodeVersionProvider>();
  const register = (provider: UnicodeVersionProvider): unknown => providers.set(provider.version, provider);
  addon.activate({ unicode: { register, versions: [], activeVersion: '' } } as never);
  return providers.get('15-graphemes')!;
}

Buffer.poolSize = POOL_SIZE;
// Node cannot see the names that this CommonJS package exports; bundlers take its other build, which has no default.
const exported: Partial<typeof addon> = { ...addon };
const { UnicodeGraphemesAddon } = exported.default ?? addon;
const graphemes = providerOf(new UnicodeGraphemesAddon());
const plainAscii = graphemes.charProperties(0x61, 0);
/** For each state of the preceding character, the results for the next one, in pages that are created on demand. */
type Table = (Int32Array | undefined)[];
const tables = new Map<number, Table>();
let lastPreceding = UNKNOWN;
let lastTable: Table = [];

/** Widths of grapheme clusters; calls the add-on once for each character after each kind of preceding character. */
export const graphemeWidths: UnicodeVersionProvider = {
  version: 'tenacitty',
  wcwidth: (codePoint) => graphemes.wcwidth(codePoint),
  charProperties(codePoint, preceding) {
    if (codePoint >= 0x20 && codePoint < 0x7f && preceding >>> KIND_SHIFT === 0) return plainAscii;
    if (codePoint >= REMEMBERED) return graphemes.charProperties(codePoint, preceding);
    if (preceding !== lastPreceding) selectTable(preceding);
    const page = (lastTable[codePoint >>> PAGE_BITS] ??= new Int32Array(PAGE_SIZE).fill(UNKNOWN));
    const slot = codePoint & PAGE_MASK;
    if (page[slot] === UNKNOWN) page[slot] = graphemes.charProperties(codePoint, preceding);
    return page[slot]!;
  },
};

function selectTable(preceding: number): void {
  if (tables.size > MAX_TABLES) tables.clear();
  const table = tables.get(preceding) ?? [];
  tables.set(preceding, table);
  lastPreceding = preceding;
  lastTable = table;
}
