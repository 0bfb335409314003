/**
 * Tests a program that never stops printing: it can be stopped immediately, and affects no other terminal meanwhile.
 */
import { DEEP } from '../deep.js';
import { retainedBytes, retainedOnceBelow } from './memory.js';
import { BASH, readUntil, readUntilText, run, startEngine, stopEngines } from './engine-under-test.js';

const FLOOD_MS = DEEP ? 60_000 : 2000;
const SHORT_FLOOD_MS = DEEP ? 10_000 : 1000;
/** Enough to overrun every buffer many times. */
const MIN_FLOOD_BYTES = DEEP ? 20_000_000 : 2_000_000;
/** Bytes of terminal queries. */
const ASKED_BYTES = DEEP ? 3_000_000 : 300_000;
/** The allowance for memory other than the histories: the shared read buffer, spare slabs, pages. */
const MAX_GROWTH_BYTES = 30 << 20;

afterEach(stopEngines);

async function outputBytes(manager: ReturnType<typeof startEngine>): Promise<number> {
  return (await manager.summary()).outputBytesTotal;
}

describe('an endless flood', () => {
  it.each([
    ['plain lines', FLOOD_MS, 'yes "a line that is neither short nor long"'],
    [
      'coloured lines',
      SHORT_FLOOD_MS,
      'yes "$(printf "\\033[32mgreen\\033[0m and \\033[1;38;5;208mbold\\033[m plain")"',
    ],
    ['a progress line', SHORT_FLOOD_MS, 'yes "$(printf "\\rworking \\033[K50%%")" | tr -d "\\n"'],
  ])(
    'of %s stops at Ctrl-C, in bounded memory, while others continue',
    async (_what, forMs, command) => {
      const manager = startEngine();
      const flooding = await manager.create(BASH);
      const quiet = await manager.create(BASH);
      await readUntilText(manager, quiet.id, '$ ');
      const before = retainedBytes();
      await manager.write(flooding.id, { input: command });
      let typed = 0;
      const end = Date.now() + forMs;
      while (Date.now() < end || (await outputBytes(manager)) < MIN_FLOOD_BYTES) {
        await manager.write(quiet.id, { input: `echo still-$((${typed} + 1))-here` });
        await readUntilText(manager, quiet.id, `still-${++typed}-here`);
        expect((await manager.read(flooding.id, { mode: 'tail', tailLines: 5 })).output).not.toBe('');
      }
      await manager.write(flooding.id, { input: '\x03' });
      const { totalBytes } = (await manager.read(flooding.id)).stats;
      // bash may discard text that is typed before the prompt has returned. The key discards output that the terminal
      // was about to show, so the prompt may be in the middle of a line.
      await readUntil(manager, flooding.id, (text) => text.split('\n').at(-1)!.includes('$ '));
      await manager.write(flooding.id, { input: 'echo stopped=$?' });
      await readUntil(manager, flooding.id, (text) => /stopped=130/.test(text.slice(-500)));
      const printedAfter = (await manager.read(flooding.id)).stats.totalBytes - totalBytes;
      // Only output in transit when the key was pressed, not seconds of backlog.
      expect(printedAfter).toBeLessThan(4 << 20);
      const most = before + MAX_GROWTH_BYTES;
      expect(await retainedOnceBelow(most)).toBeLessThan(most);
      expect((await manager.summary()).historyBytes).toBeLessThan(20 << 20);
    },
    300_000,
  );

  it('of queries to the terminal, whose answers are not read, is answered within limits', async () => {
    const manager = startEngine();
    const ask = `stty raw -echo; yes "$(printf '\\033[6n\\033[c')" | head -c ${ASKED_BYTES}; stty sane; echo do""ne`;
    const { id } = await run(manager, 'sh', '-c', ask);
    await readUntil(manager, id, (_, page) => !page.isActive);
    expect((await manager.summary()).inputBytesTotal).toBe(0);
  });
});
