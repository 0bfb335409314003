/** Tests rendered output when reads fail at the worst moment. Tests with real terminals are in test/acp. */
import type { TerminalManager } from '../contract/manager.js';
import { RenderedOutput } from './rendered-output.js';

it('also ends if a read in progress fails', async () => {
  const reads: ((error: Error) => void)[] = [];
  const manager = { read: () => new Promise((_resolve, reject) => reads.push(reject)) };
  const seen = new RenderedOutput(manager as unknown as TerminalManager, 'id', 10);
  seen.add();
  const reading = seen.read();
  const ended = seen.end();
  reads[0]!(new Error('a hiccup'));
  await expect(reading).rejects.toThrow('a hiccup');
  while (reads.length < 2) await new Promise((resolve) => setImmediate(resolve));
  reads[1]!(new Error('another'));
  await expect(ended).resolves.toBeUndefined();
});
