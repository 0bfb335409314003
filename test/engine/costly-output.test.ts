/**
 * Tests that a program whose output is expensive to render, on the largest possible screen, delays no other terminal.
 */
import { MAX_COLS, MAX_ROWS } from '../../src/contract/terminal.js';
import { eventually } from '../eventually.js';
import { BASH, readUntilText, startEngine, stopEngines } from './engine-under-test.js';

/** Takes half a minute or more to process, since each sequence changes a million cells. */
const BYTES = 12_000;
const SIZE = { cols: MAX_COLS, rows: MAX_ROWS };

afterEach(stopEngines);

it.each([
  ['resets', String.raw`\033cx`],
  ['scrolls by any number of lines', String.raw`\033[99999S`],
  ['scrolls by control characters beyond ASCII', String.raw`\302\23399999S`],
  ['fills the screen and wipes it', String.raw`\033#8\033[2J`],
])('a program that %s leaves others their turns', async (_what, sequence) => {
  const manager = startEngine();
  const quiet = await manager.create(BASH);
  await readUntilText(manager, quiet.id, '$ ');
  const line = `yes "$(printf '${sequence}')" | tr -d '\\n' | head -c ${BYTES}; echo end; sleep 1000`;
  const costly = await manager.create({ command: '/bin/sh', args: ['-c', line], ...SIZE });
  await eventually(async () => (await manager.get(costly.id)).totalBytes > 0);
  for (let turn = 1; turn <= 5; turn++) {
    await manager.write(quiet.id, { input: `echo still-$((${turn}))-here` });
    await readUntilText(manager, quiet.id, `still-${turn}-here`);
  }
  // It was not finished before the others were served.
  expect((await manager.get(costly.id)).totalBytes).toBeLessThan(BYTES);
});

it('a program that ends behind what is costly is told to have ended when all of that is shown', async () => {
  const manager = startEngine();
  const line = String.raw`for i in 1 2 3; do printf '\033cx\033#8\033[2J'; done; echo the end; exit 3`;
  const { id } = await manager.create({ command: '/bin/sh', args: ['-c', line], ...SIZE });
  await manager.wait(id, {});
  expect(await manager.get(id)).toMatchObject({ status: 'exited', exitCode: 3 });
  expect((await manager.read(id, { mode: 'tail', tailLines: 1 })).output).toContain('the end');
});
