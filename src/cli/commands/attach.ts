/** `tenacitty attach`: takes up the terminal that is asked for, or else the one that was used last. */
import type { TerminalManager } from '../../contract/manager.js';
import { lastUsed } from '../attach/last-used.js';
import { checkTerminals, takeUp } from '../attach/take-up.js';
import type { Call } from '../command.js';
import { isByLabel, oneSelected } from '../selection.js';
import type { ATTACH_FLAGS } from '../table/reach.js';
import { typedFor } from '../typed.js';
import type { Typed } from '../typed.js';
import { withEngine } from '../with-engine.js';

type AttachCall = Call<typeof ATTACH_FLAGS>;

export function attach(call: AttachCall): Promise<number> {
  const { flags, settings } = call;
  checkTerminals(flags.readOnly);
  return withEngine(settings, async (manager, options) => {
    const typed = typedFor(options);
    const id = await chosen(manager, call, typed);
    return takeUp(manager, id, { isReadOnly: flags.readOnly, detachKey: flags.detachKey, typed });
  });
}

async function chosen(manager: TerminalManager, call: AttachCall, typed: Typed): Promise<string> {
  if (call.operands.length === 0 && !isByLabel(call)) return lastUsed(manager, typed);
  return (await oneSelected(manager, call, 'running')).id;
}
