/** `tenacitty send` and `tenacitty keys`: type text and press keys. */
import { text as readAll } from 'node:stream/consumers';
import type { ParsedCall } from '../command.js';
import { actOnEach } from '../each-terminal.js';
import { allSelected, refuseIdAsText, wordsAfterId } from '../selection.js';
import type { KEYS_FLAGS, SEND_FLAGS } from '../flags/reach.js';
import { commandFormatter } from '../command-formatter.js';
import { typeRaw, typeText } from '../typing.js';
import { withEngine } from '../with-engine.js';

const STDIN = '-';

export function send(call: ParsedCall<typeof SEND_FLAGS>): Promise<number> {
  const { flags, settings } = call;
  const words = wordsAfterId(call);
  return withEngine(settings, async (manager, options) => {
    await refuseIdAsText(manager, 'send', call);
    const terminals = await allSelected(manager, call, 'running');
    const isStdin = words.length === 1 && words[0] === STDIN;
    const text = isStdin ? await readAll(process.stdin) : words.join(' ');
    const type = ({ id }: { id: string }) =>
      flags.raw ? typeRaw(manager, id, text) : typeText(manager, id, text, !flags.noEnter);
    return actOnEach(terminals, type, commandFormatter(options));
  });
}

export function keys(call: ParsedCall<typeof KEYS_FLAGS>): Promise<number> {
  const names = [...wordsAfterId(call)];
  return withEngine(call.settings, async (manager, options) => {
    const terminals = await allSelected(manager, call, 'running');
    return actOnEach(terminals, ({ id }) => manager.write(id, { keys: names }), commandFormatter(options));
  });
}
