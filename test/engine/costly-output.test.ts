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
  ['fills the screen and erases it', String.raw`\033#8\033[2J`],
])('a program that %s does not block others', async (_what, sequence) => {
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

it('the end of a program is reported after all of its costly output was displayed', async () => {
  const manager = startEngine();
  const line = String.raw`for i in 1 2 3; do printf '\033cx\033#8\033[2J'; done; echo the end; exit 3`;
  const { id } = await manager.create({ command: '/bin/sh', args: ['-c', line], ...SIZE });
  await manager.wait(id, {});
  expect(await manager.get(id)).toMatchObject({ status: 'exited', exitCode: 3 });
  expect((await manager.read(id, { mode: 'tail', tailLines: 1 })).output).toContain('the end');
});

it('a full screen accepts any sizes, and finally has the last of them', async () => {
  const manager = startEngine();
  const line = String.raw`head -c 990000 /dev/zero | tr '\0' a; printf z; read -r _; echo; echo "now: $(stty size)"`;
  const { id } = await manager.create({ command: '/bin/sh', args: ['-c', line], ...SIZE });
  await manager.wait(id, { text: 'z', fromOffset: 0, timeoutMs: 15_000 });
  const sizes = [
    [2, 1],
    [1000, 1000],
    [7, 3],
    [2, 1000],
    [90, 20],
  ].map(([cols, rows]) => ({ cols: cols!, rows: rows! }));
  for (const size of sizes) {
    await manager.resize(id, size);
    expect(await manager.get(id)).toMatchObject(size);
  }
  await Promise.all(sizes.map((size) => manager.resize(id, size)));
  await manager.write(id, { input: 'x' });
  await manager.wait(id, {});
  const { output } = await manager.read(id, { maxBytes: 2_000_000 });
  expect(output).toMatch(/now: 20 90$/);
  expect(output.replaceAll(/[^a]/g, '')).toHaveLength(990_000);
});

it('a printed file of queries leaves few replies in the input', async () => {
  const manager = startEngine();
  const queries = String.raw`yes "$(printf '\033[c\033[6n')" | head -c 100000`;
  const line = `stty raw -echo; ${queries}; echo printed; IFS= read -r -d x all; echo "got \${#all}."`;
  const { id } = await manager.create({ command: '/bin/bash', args: ['-c', line] });
  await manager.wait(id, { text: 'printed', fromOffset: 0, timeoutMs: 15_000 });
  await manager.write(id, { input: 'x', enter: false });
  const [, bytes] = /got (\d+)\./.exec(await readUntilText(manager, id, /got \d+\./))!;
  expect(Number(bytes)).toBeGreaterThan(0);
  expect(Number(bytes)).toBeLessThan(20_000);
});
