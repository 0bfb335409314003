/**
 * Makes the terminal emulator and names the parts of it that we use beyond its public interface. The
 * one importer of @xterm/headless, whose version is pinned; what is relied on is checked at every
 * start of one. It knows nothing of histories.
 */
import headless from '@xterm/headless';
import type { Terminal } from '@xterm/headless';
import type { EmulatorLine } from './row.js';
import { defuse } from './hostile-output.js';
import { StringLimit } from './string-limit.js';
import type { StringParser } from './string-limit.js';
import { graphemeWidths } from './widths.js';

/** The normal or the alternate screen, with what stands above it. */
export interface EmulatorBuffer {
  x: number;
  y: number;
  ybase: number;
  scrollTop: number;
  scrollBottom: number;
  readonly savedX: number;
  /** Counted from the first row held, not from the first shown. */
  readonly savedY: number;
  readonly savedCurAttrData: { readonly fg: number; readonly bg: number };
  readonly savedCharset: Charset | undefined;
  /** The columns with a tab stop. */
  readonly tabs: Readonly<Record<number, boolean>>;
  readonly lines: { get(index: number): EmulatorLine | undefined; readonly length: number };
  /** Marks a row: it is found again after rows were inserted or taken away above it. */
  addMarker(row: number): { readonly line: number; dispose(): void };
}

/** What each ASCII character is shown as; undefined where all are shown as they are. */
export type Charset = Readonly<Record<string, string>>;

/** The style text would be written in, packed. */
export interface Attributes {
  readonly fg: number;
  readonly bg: number;
  readonly extended: { underlineStyle: number; underlineColor: number };
}

/** The private side of the emulator, as far as it is used. */
export interface EmulatorCore {
  writeSync(data: Uint8Array | string): void;
  readonly coreService: {
    readonly isCursorHidden: boolean;
    readonly modes: { readonly insertMode: boolean };
    readonly decPrivateModes: {
      readonly origin: boolean;
      readonly wraparound: boolean;
      readonly cursorStyle: 'block' | 'underline' | 'bar' | undefined;
      readonly cursorBlink: boolean | undefined;
    };
  };
  readonly coreMouseService: { readonly activeEncoding: string };
  readonly _charsetService: {
    readonly charset: Charset | undefined;
    /** Which of the four sets is in use. */
    readonly glevel: number;
    readonly _charsets: readonly (Charset | undefined)[];
  };
  readonly optionsService: { readonly rawOptions: { readonly convertEol: boolean; readonly cursorBlink: boolean } };
  readonly _bufferService: {
    readonly buffers: {
      readonly normal: EmulatorBuffer;
      readonly alt: EmulatorBuffer;
      readonly active: EmulatorBuffer;
    };
    scroll(eraseAttributes: unknown, isWrapped?: boolean): void;
  };
  readonly _inputHandler: {
    readonly _parser: EmulatorCoreParser;
    readonly _curAttrData: Attributes;
  };
}

/** Where sequences that the emulator does not know are taken. */
export type EmulatorParser = Terminal['parser'];

/** The parser itself: its handlers see the parameters that later ones will see. */
export interface EmulatorCoreParser {
  readonly currentState: number;
  /** What is known of the character printed last, as long as nothing else came: whether the next joins it. */
  readonly precedingJoinState: number;
  readonly _oscParser: StringParser & { start(): void };
  readonly _dcsParser: StringParser & { hook(name: number, params: unknown): void };
  registerCsiHandler(id: { final: string }, handler: (params: { params: Int32Array }) => boolean): unknown;
}

export interface Emulator {
  readonly terminal: Terminal;
  readonly core: EmulatorCore;
  readonly strings: StringLimit;
}

/**
 * An emulator without scrollback: rows that leave the screen are for its owner to take. Widths are those
 * of grapheme clusters, as in the browser's emulator.
 */
export function createEmulator(cols: number, rows: number): Emulator {
  const terminal = new headless.Terminal({
    cols,
    rows,
    scrollback: 0,
    allowProposedApi: true,
    logLevel: 'off',
    windowOptions: { getWinSizeChars: true },
    // Or a narrower screen cuts off the line that is being written, for good.
    reflowCursorLine: true,
  });
  terminal.unicode.register(graphemeWidths);
  terminal.unicode.activeVersion = graphemeWidths.version;
  const core = (terminal as unknown as { _core: EmulatorCore })._core;
  checkLayout(core, cols);
  const strings = new StringLimit(core._inputHandler._parser);
  const emulator = { terminal, core, strings };
  defuse(emulator);
  return emulator;
}

const CELL_WORDS = 3;

/** Fails at once, and clearly, if the emulator is not the one we were written for. */
function checkLayout(core: EmulatorCore, cols: number): void {
  const line = core._bufferService.buffers.normal.lines.get(0);
  const isKnown =
    line !== undefined &&
    line._data.length >= cols * CELL_WORDS &&
    typeof core._bufferService.scroll === 'function' &&
    line._extendedAttrs !== undefined &&
    core._bufferService.buffers.alt.savedCurAttrData.fg === 0 &&
    core._bufferService.buffers.normal.tabs[0] === true &&
    core.coreMouseService.activeEncoding === 'DEFAULT' &&
    core._charsetService._charsets.length === 0 &&
    core._charsetService.glevel === 0 &&
    core._inputHandler._parser.precedingJoinState === 0 &&
    core._inputHandler._parser.currentState === 0 &&
    isStringParser(core._inputHandler._parser._oscParser, 'start') &&
    isStringParser(core._inputHandler._parser._dcsParser, 'hook') &&
    core._inputHandler._curAttrData.fg === 0 &&
    core.coreService.decPrivateModes.wraparound;
  if (!isKnown) throw new Error('This version of @xterm/headless is not one that tenacitty was made for.');
}

function isStringParser(parser: StringParser, begin: string): boolean {
  return ['put', 'reset', begin].every((name) => typeof parser?.[name as keyof StringParser] === 'function');
}
