/** Controls a player by keys, if stdin is a terminal, and by signals. */
import { RawKeyboard } from '../attach/raw-keyboard.js';
import { onEndingSignal } from '../attach/signals.js';
import type { Player } from './player.js';

const SKIP_MS = 5000;

export class PlayerKeys {
  readonly #player: Player;
  readonly #keyboard = new RawKeyboard();
  #letSignalsGo: (() => void) | undefined;

  constructor(player: Player) {
    this.#player = player;
  }

  open(): void {
    this.#letSignalsGo = onEndingSignal(() => this.#player.quit(), ['SIGHUP', 'SIGTERM', 'SIGINT']);
    if (!this.#keyboard.isTerminal) return;
    this.#keyboard.open({ onText: (text) => this.#pressed(text), onEnd: () => this.#player.quit() });
  }

  close(): void {
    this.#letSignalsGo?.();
    this.#keyboard.close();
  }

  /** Takes keys as terminals send them. Several may arrive at once. */
  #pressed(text: string): void {
    for (const [key] of text.matchAll(/\x1b[[O][A-D]|[^]/gu)) this.#press(key);
  }

  #press(key: string): void {
    const player = this.#player;
    if (key === ' ') player.pause();
    else if (key === '.') player.advance();
    else if (key === '[') player.skipMarker(-1);
    else if (key === ']') player.skipMarker(1);
    else if (key.endsWith('D') && key.length > 1) player.skip(-SKIP_MS);
    else if (key.endsWith('C') && key.length > 1) player.skip(SKIP_MS);
    else if (key === 'q' || key === '\x03') player.quit();
  }
}
