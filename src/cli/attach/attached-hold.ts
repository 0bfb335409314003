/** Holds a terminal while a person is attached to it, and describes a terminal's holder. */
import { permitted } from '../../access/permitted-manager.js';
import { KeptHold } from '../../calls/kept-hold.js';
import type { Holder } from '../../contract/control.js';
import type { TerminalManager } from '../../contract/manager.js';
import { roundedDuration } from '../../duration.js';
import { printable } from '../../printable.js';

export interface AttachedHold {
  /** The manager, which makes its calls as the holder. */
  readonly manager: TerminalManager;
  /** Hands the terminal back, unless another caller has taken it or it has ended. */
  release(): Promise<void>;
}

/** Takes the terminal. @throws `TERMINAL_INACTIVE` if the program has ended. */
export async function takeHold(manager: TerminalManager, id: string): Promise<AttachedHold> {
  const left = new AbortController();
  const kept = new KeptHold(manager, id, left.signal);
  await kept.control({ action: 'take' });
  return {
    manager: permitted(manager, { role: 'owner', hold: kept.token }),
    async release() {
      await kept.control({ action: 'release' }).catch(() => {});
      left.abort();
    },
  };
}

export function describeHolder({ name, since }: NonNullable<Holder>): string {
  return `${printable(name)} has held this terminal for ${roundedDuration(Date.now() - Date.parse(since))}`;
}
