/**
 * Tracks the modes that a program's output changes in the terminal that shows it, and returns the sequences that undo
 * the changes, so that the terminal is restored when the person detaches. Pure; does not change the output.
 */

/** Modes that are on by default: wraparound and cursor visibility. All others are off. */
const ON_BY_DEFAULT = new Set([7, 25]);
const ALTERNATE_SCREENS = [47, 1047, 1049];
/** Modes that are not tracked: blinking, whose default differs between terminals, and saving the cursor. */
const IGNORED_MODES = [12, 1048];

/** Maximum length of a sequence that is kept because it may continue in the next chunk. Longer ones are not tracked. */
const MAX_UNFINISHED = 64;
const UNFINISHED = /\x1b(?:\[[?>=<!]?[\d;:]*[ !]?|[()]|\]\d*)?$/;
const SEQUENCE = /\x1b(?:\[([?>=<!]?)([\d;:]*)([ !]?)([@-~])|([=>c])|[()](.)|\](\d+)[;\x07\x1b])|(\x0e)/gs;

/** Resets colours, hyperlink and character sets, which programs often leave set. */
const PLAIN_TEXT = '\x1b[0m\x1b]8;;\x1b\\\x1b(B\x0f';
/** Maps OSC numbers that set colours to the sequences that reset them. */
const COLOUR_RESETS = new Map([4, 10, 11, 12, 17, 19].map((number) => [number, `\x1b]${number + 100}\x1b\\`]));

export class ModeTracker {
  #unfinished = '';
  /** DEC private modes that differ from their defaults, and whether each is on. */
  readonly #modes = new Map<number, boolean>();
  /** Sequences that undo other changes, each once. */
  readonly #undo = new Map<string, string>();
  /** Number of entries on the kitty keyboard protocol's stack, which is separate for each screen. */
  #keyboards = { normal: 0, alternate: 0 };

  /** Records the modes in bytes that are about to be shown, in chunks of any size. */
  note(bytes: Uint8Array): void {
    const text = this.#unfinished + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    for (const match of text.matchAll(SEQUENCE)) this.#take(match);
    this.#unfinished = UNFINISHED.exec(text.slice(-MAX_UNFINISHED))?.[0] ?? '';
  }

  /** Returns the sequences that undo all recorded changes. */
  restoration(): string {
    const keyboards = this.#keyboards;
    const modes = [...this.#modes].filter(([mode]) => !ALTERNATE_SCREENS.includes(mode));
    return [
      ...modes.map(([mode, isOn]) => `\x1b[?${mode}${isOn ? 'l' : 'h'}`),
      ...this.#undo.values(),
      PLAIN_TEXT,
      this.#alternate === undefined ? '' : `${popped(keyboards.alternate)}\x1b[?${this.#alternate}l`,
      popped(keyboards.normal),
    ].join('');
  }

  get #alternate(): number | undefined {
    return ALTERNATE_SCREENS.find((mode) => this.#modes.get(mode));
  }

  #take([, prefix, parameters = '', intermediate, final, escape, charset, command, shift]: RegExpMatchArray): void {
    if (final !== undefined) this.#takeControl(prefix + intermediate! + final, parameters);
    else if (escape === '=') this.#undo.set('keypad', '\x1b>');
    else if (escape === 'c') this.#reset();
    else if (command !== undefined) this.#takeColour(Number(command));
    else if (charset !== undefined || shift !== undefined) this.#undo.set('charset', '\x0f');
  }

  #takeControl(kind: string, parameters: string): void {
    const first = Number.parseInt(parameters) || 0;
    if (kind === '?h' || kind === '?l')
      for (const mode of parameters.split(';')) this.#setMode(Number(mode), kind === '?h');
    if (kind === 'h' && parameters === '4') this.#undo.set('insert', '\x1b[4l');
    if (kind === 'r' && parameters !== '') this.#undo.set('margins', '\x1b7\x1b[r\x1b8');
    if (kind === ' q') this.#undo.set('cursor style', '\x1b[0 q');
    if (kind === '>m' && first === 4) this.#undo.set('modified keys', '\x1b[>4;0m');
    if (kind === '=u') this.#undo.set('keyboard', '\x1b[=0u');
    if (kind === '>u') this.#pushKeyboard(1);
    if (kind === '<u') this.#pushKeyboard(-Math.max(1, first));
    if (kind === '!p') this.#modes.delete(25);
  }

  #setMode(mode: number, isOn: boolean): void {
    if (IGNORED_MODES.includes(mode) || !Number.isInteger(mode)) return;
    if (isOn === ON_BY_DEFAULT.has(mode)) this.#modes.delete(mode);
    else this.#modes.set(mode, isOn);
  }

  #pushKeyboard(count: number): void {
    const screen = this.#alternate === undefined ? 'normal' : 'alternate';
    this.#keyboards[screen] = Math.max(0, this.#keyboards[screen] + count);
  }

  #takeColour(command: number): void {
    const reset = COLOUR_RESETS.get(command);
    if (reset !== undefined) this.#undo.set(`colour ${command}`, reset);
  }

  #reset(): void {
    this.#modes.clear();
    this.#undo.clear();
    this.#keyboards = { normal: 0, alternate: 0 };
  }
}

function popped(count: number): string {
  return count === 0 ? '' : `\x1b[<${count}u`;
}
