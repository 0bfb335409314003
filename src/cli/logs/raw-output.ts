/** Prints a program's output byte for byte. */
import type { TerminalManager } from '../../contract/manager.js';
import { print, printMessage } from '../stdout.js';

/** Prints from the oldest byte that is held: up to the current end or, when following, until the program ends. */
export async function printBytes(manager: TerminalManager, id: string, isFollowing: boolean): Promise<void> {
  const { totalBytes } = await manager.get(id);
  const subscription = await manager.subscribe(id, 0);
  if (totalBytes === 0 && !isFollowing) return subscription.close();
  for await (const event of subscription) {
    if (event.type === 'gap') printMessage(`${event.resumeAt - event.offset} bytes are no longer held`);
    if (event.type === 'output') {
      const wanted = isFollowing ? event.bytes : event.bytes.subarray(0, totalBytes - event.offset);
      await print(wanted);
      if (!isFollowing && event.offset + event.bytes.length >= totalBytes) break;
    }
    if (event.type === 'exit') break;
  }
}
