/** Sends what is typed into the field and the key bar of a phone to the terminal. The server encodes named keys. */
import { signal } from '@preact/signals';
import type { LiveView } from '../terminal/live-view.js';
import { pastable } from '../terminal/paste.js';
import { note } from '../ui/copying.js';
import { isArmed, isCharacter, isModifier, named, NO_MODIFIERS, tapped, used } from './key-state.js';
import { differenceOf } from './keystrokes.js';

export class Typing {
  readonly modifiers = signal(NO_MODIFIERS);
  field: HTMLInputElement | null = null;
  readonly #view: LiveView;
  #isByKey = false;
  /** The text in the field before the latest change. */
  #before = '';

  constructor(view: LiveView) {
    this.#view = view;
  }

  /** Whether each character is sent at once, instead of whole lines. */
  get isByKey(): boolean {
    return this.#isByKey;
  }

  /** Text that is still in the field is sent when the program begins to read keys, as a keyboard would have done. */
  setByKey(isByKey: boolean): void {
    if (isByKey && !this.#isByKey) this.#sendText();
    this.#isByKey = isByKey;
  }

  /** Handles a key of the key bar. */
  press(key: string): void {
    if (isModifier(key)) this.modifiers.value = tapped(this.modifiers.peek(), key);
    else if (key === 'paste') void this.#pasteFromClipboard();
    else if (isCharacter(key) && !isArmed(this.modifiers.peek())) this.#enter(key);
    else this.#sendKey(key);
  }

  /** Sends a named key, after the text that has not been sent; Ctrl-C leaves that text in the field. */
  #sendKey(key: string): void {
    if (key !== 'ctrl-c') this.#sendText();
    this.#send((live) => live.press(named(key, this.modifiers.peek())));
    this.modifiers.value = used(this.modifiers.peek());
  }

  /** Sends the line in the field and Enter. */
  sendLine(): void {
    const text = this.#isByKey ? '' : this.#taken();
    this.clear();
    this.#send((live) => live.type(`${text}\r`));
  }

  /** Handles a change of the field. While a keyboard is composing a word, the word stays in the field. */
  changed(isComposing: boolean): void {
    const { field } = this;
    if (field === null) return;
    const { removed, added } = differenceOf(this.#before, field.value);
    if (isArmed(this.modifiers.peek()) && added !== '') return this.#sendArmed(added);
    if (this.#isByKey) this.#sendDifference(removed, added);
    if (this.#isByKey && !isComposing) this.clear();
    else this.#before = field.value;
  }

  /** Clears the field after a word was composed, if it has been sent already. */
  composed(): void {
    if (this.#isByKey) this.clear();
  }

  clear(): void {
    if (this.field) this.field.value = '';
    this.#before = '';
  }

  /** Pastes text: one line into the field, more into the terminal, as one paste. */
  paste(text: string): void {
    const clean = pastable(text);
    if (this.#isByKey || /[\r\n]/.test(clean)) this.#view.emulator?.terminal.paste(clean);
    else this.#enter(clean);
  }

  #sendArmed(added: string): void {
    if (this.field) this.field.value = this.#before;
    this.#sendKey([...added][0]!);
  }

  #sendDifference(removed: number, added: string): void {
    const erased = Array.from({ length: removed }, () => 'backspace');
    if (removed > 0) this.#send((live) => live.press(...erased));
    if (added !== '') this.#send((live) => live.type(added));
  }

  /** Enters text as if it had been typed: into the field at the cursor, or into the terminal at once. */
  #enter(text: string): void {
    const { field } = this;
    if (this.#isByKey || field === null) return this.#send((live) => live.type(text));
    const { selectionStart, selectionEnd, value } = field;
    field.setRangeText(text, selectionStart ?? value.length, selectionEnd ?? value.length, 'end');
    this.#before = field.value;
  }

  #sendText(): void {
    const text = this.#isByKey ? '' : this.#taken();
    if (text !== '') this.#send((live) => live.type(text));
    this.clear();
  }

  #taken(): string {
    return this.field?.value ?? '';
  }

  async #pasteFromClipboard(): Promise<void> {
    try {
      this.paste(await navigator.clipboard.readText());
    } catch {
      note('The browser blocked access to the clipboard.');
    }
  }

  #send(act: (live: NonNullable<LiveView['live']>) => Promise<void>): void {
    const { live, said } = this.#view;
    if (live === null) return;
    act(live).catch((error: unknown) => {
      said.value = error instanceof Error ? error.message : 'Not typed.';
    });
  }
}
