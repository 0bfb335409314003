/** `tenacitty send` and `tenacitty keys`: types text, presses keys. */
import { text as readAll } from 'node:stream/consumers';
import type { Call } from '../command.js';
import type { SEND_FLAGS } from '../table/reach.js';
import { findTerminal } from '../terminal-id.js';
import { typeRaw, typeText } from '../typing.js';
import { withEngine } from '../with-engine.js';

const STDIN = '-';

export function send({ operands: [given, ...words], flags, settings }: Call<typeof SEND_FLAGS>): Promise<void> {
  return withEngine(settings, async (manager) => {
    const { id } = await findTerminal(manager, given!);
    const isStdin = words.length === 1 && words[0] === STDIN;
    const text = isStdin ? await readAll(process.stdin) : words.join(' ');
    await (flags.raw ? typeRaw(manager, id, text) : typeText(manager, id, text, !flags.noEnter));
  });
}

export function keys({ operands: [given, ...names], settings }: Call): Promise<void> {
  return withEngine(settings, async (manager) => {
    const { id } = await findTerminal(manager, given!);
    await manager.write(id, { keys: names });
  });
}
