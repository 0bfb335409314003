/**
 * Gives access, under our own names, to the parts of @xterm/headless that are used beyond its public interface. Only
 * this file knows the private fields. The version is pinned, and everything that this file relies on is checked
 * whenever an emulator is created.
 */
import type { HeadlessTerminal } from './headless.js';

/** The normal or the alternate screen, with the rows above it. */
export interface EmulatorBuffer {
  x: number;
  y: number;
  ybase: number;
  scrollTop: number;
  scrollBottom: number;
  readonly savedX: number;
  /** Counted from the first row held, not the first row shown. */
  savedY: number;
  readonly savedCurAttrData: { readonly fg: number; readonly bg: number };
  readonly savedCharset: Charset | undefined;
  /** The columns that have a tab stop. */
  readonly tabs: Readonly<Record<number, boolean>>;
  readonly lines: EmulatorLines;
  getBlankLine(): EmulatorLine;
  /** Marks a row, so that it can be found again after rows above it have been inserted or removed. */
  addMarker(row: number): { readonly line: number; dispose(): void };
}

interface EmulatorLines {
  readonly length: number;
  /** Valid only below `length`. */
  get(index: number): EmulatorLine | undefined;
  push(line: EmulatorLine): void;
  pop(): void;
  trimStart(count: number): void;
}

/** Maps ASCII characters to the characters shown for them; undefined if all are shown unchanged. */
export type Charset = Readonly<Record<string, string>>;

/** The style of the text to be written next, packed. */
export interface Attributes {
  readonly fg: number;
  readonly bg: number;
  readonly extended: Extended;
}

/** The shape and colour of an underline. */
export interface Extended {
  readonly underlineStyle: number;
  readonly underlineColor: number;
}

/** A row. Its cells are packed, three words each: see {@link cellsOf}. */
export interface EmulatorLine {
  readonly length: number;
  isWrapped: boolean;
  getTrimmedLength(): number;
  getWidth(column: number): number;
  hasContent(column: number): number;
}

/** Collects strings of one kind, OSC or DCS. */
export interface StringParser {
  put(codePoints: Uint32Array, from: number, to: number): void;
  /** Discards the collected string; `put` has no effect until the next string begins. */
  reset(): void;
}

interface Core {
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
  readonly optionsService: { readonly rawOptions: { readonly convertEol: boolean; readonly cursorBlink: boolean } };
  readonly _charsetService: {
    readonly charset: Charset | undefined;
    readonly glevel: number;
    readonly _charsets: readonly (Charset | undefined)[];
  };
  readonly _bufferService: {
    readonly buffers: {
      readonly normal: EmulatorBuffer;
      readonly alt: EmulatorBuffer;
      readonly active: EmulatorBuffer;
    };
    scroll(eraseAttributes: unknown, isWrapped?: boolean): void;
  };
  readonly _inputHandler: { readonly _parser: Parser; readonly _curAttrData: Attributes };
}

interface Parser {
  readonly currentState: number;
  readonly precedingJoinState: number;
  readonly _oscParser: StringParser & { start(): void };
  readonly _dcsParser: StringParser & { hook(name: number, params: unknown): void };
  registerCsiHandler(id: { final: string }, handler: (params: { params: Int32Array }) => boolean): unknown;
}

interface Line extends EmulatorLine {
  readonly _data: Uint32Array;
  readonly _combined: Record<number, string>;
  readonly _extendedAttrs: Record<number, Extended | undefined>;
}

/** Access to an emulator's internals. */
export class EmulatorCore {
  readonly #core: Core;
  readonly #service: Core['_bufferService'];
  readonly #charsets: Core['_charsetService'];
  readonly #input: Core['_inputHandler'];
  readonly #parser: Parser;

  /** @throws if the emulator is not the version that this class was written for. */
  constructor(terminal: HeadlessTerminal) {
    this.#core = (terminal as unknown as { _core: Core })._core;
    const { _bufferService: service, _charsetService: charsets, _inputHandler: input } = this.#core;
    [this.#service, this.#charsets, this.#input, this.#parser] = [service, charsets, input, input._parser];
    if (!this.#isKnown(terminal.cols)) {
      throw new Error('This version of @xterm/headless is not supported by tenacitty.');
    }
  }

  write(data: Uint8Array | string): void {
    this.#core.writeSync(data);
  }

  get buffers(): Core['_bufferService']['buffers'] {
    return this.#service.buffers;
  }

  get isCursorHidden(): boolean {
    return this.#core.coreService.isCursorHidden;
  }

  get isInserting(): boolean {
    return this.#core.coreService.modes.insertMode;
  }

  get privateModes(): Core['coreService']['decPrivateModes'] {
    return this.#core.coreService.decPrivateModes;
  }

  get options(): Core['optionsService']['rawOptions'] {
    return this.#core.optionsService.rawOptions;
  }

  get mouseEncoding(): string {
    return this.#core.coreMouseService.activeEncoding;
  }

  /** The style of the text to be written next. */
  get attributes(): Attributes {
    return this.#input._curAttrData;
  }

  /** The active character set. */
  get charset(): Charset | undefined {
    return this.#charsets.charset;
  }

  /** Which of the four designated sets is active. */
  get charsetLevel(): number {
    return this.#charsets.glevel;
  }

  get designatedCharsets(): readonly (Charset | undefined)[] {
    return this.#charsets._charsets;
  }

  /** State of the parser; 0 outside sequences. */
  get parserState(): number {
    return this.#parser.currentState;
  }

  /**
   * State after the last printed character, as long as nothing else has followed; determines whether the next character
   * joins it.
   */
  get joinState(): number {
    return this.#parser.precedingJoinState;
  }

  get stringParsers(): { readonly osc: Parser['_oscParser']; readonly dcs: Parser['_dcsParser'] } {
    const { _oscParser: osc, _dcsParser: dcs } = this.#parser;
    return { osc, dcs };
  }

  /**
   * Registers a handler that sees, and may change, the parameters of a CSI sequence before the emulator's own handlers.
   */
  onCsi(final: string, handler: (params: Int32Array) => void): void {
    this.#parser.registerCsiHandler({ final }, ({ params }) => (handler(params), false));
  }

  /**
   * Calls `before` whenever a screen is about to scroll by a row; `isWrapped` says whether the new row continues the
   * last one.
   */
  onScroll(before: (isWrapped: boolean) => void): void {
    const service = this.#service;
    const scroll = service.scroll.bind(service);
    service.scroll = (eraseAttributes, isWrapped = false) => {
      before(isWrapped);
      scroll(eraseAttributes, isWrapped);
    };
  }

  #isKnown(cols: number): boolean {
    const { normal, alt } = this.buffers;
    const line = normal.lines.get(0) as Line | undefined;
    const { osc, dcs } = this.stringParsers;
    return (
      line !== undefined &&
      cellsOf(line).length >= cols * WORDS_PER_CELL &&
      line._extendedAttrs !== undefined &&
      typeof this.#service.scroll === 'function' &&
      typeof normal.getBlankLine === 'function' &&
      alt.savedCurAttrData.fg === 0 &&
      normal.tabs[0] === true &&
      this.mouseEncoding === 'DEFAULT' &&
      this.designatedCharsets.length === 0 &&
      this.charsetLevel === 0 &&
      this.joinState === 0 &&
      this.parserState === 0 &&
      isStringParser(osc, 'start') &&
      isStringParser(dcs, 'hook') &&
      this.attributes.fg === 0 &&
      this.privateModes.wraparound
    );
  }
}

/** A packed cell: content, foreground and background. */
export const WORDS_PER_CELL = 3;
export const FOREGROUND = 1;
export const BACKGROUND = 2;
/** Parts of the content. */
export const CODE_POINT = 0x1fffff;
export const IS_COMBINED = 0x200000;
export const WIDTH_SHIFT = 22;
/** Background bit that is set if the attributes include an underline's shape or colour. */
export const HAS_EXTENDED = 0x10000000;

/** Returns the packed cells of a row. */
export function cellsOf(line: EmulatorLine): Uint32Array {
  return (line as Line)._data;
}

/** Returns the text of a cell that holds more than one code point. */
export function combinedText(line: EmulatorLine, column: number): string {
  return (line as Line)._combined[column]!;
}

/** Returns the shape and colour of the underline, if the cell has any. */
export function extendedOf(line: EmulatorLine, column: number): Extended | undefined {
  return (line as Line)._extendedAttrs[column];
}

function isStringParser(parser: StringParser, begin: string): boolean {
  return ['put', 'reset', begin].every((name) => typeof parser?.[name as keyof StringParser] === 'function');
}
