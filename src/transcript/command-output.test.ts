import { MAX_COLS, MAX_ROWS } from '../contract/terminal.js';
import { commandOutput, textOfSpans, type CommandOutput, type OutputSource } from './command-output.js';

afterEach(() => jest.restoreAllMocks());

const SIZE = { cols: 80, rows: 24 };

function sourceOf(text: string, size = SIZE): OutputSource {
  const bytes = Buffer.from(text);
  const bytesFrom = (from: number, max: number): Uint8Array => bytes.subarray(from, from + max);
  return { outputStart: 0, outputEnd: bytes.length, size, bytesFrom };
}

function outputOf(text: string): CommandOutput {
  return commandOutput({ id: 'o', fromOffset: 0, toOffset: text.length, sizes: [] }, sourceOf(text), null);
}

/** Pretends that each rendered piece takes this much CPU time. */
function eachPieceTakes(ms: number): void {
  jest.spyOn(process, 'cpuUsage').mockImplementation((before) => ({ user: before ? ms * 1000 : 0, system: 0 }));
}

describe('the output of a command', () => {
  const text = `${'\x1b[2Kline\r\n'.repeat(50_000)}last\r\n`;

  it('is rendered completely', async () => {
    const output = outputOf(text);
    await output.upTo(() => ({ toOffset: text.length, sizes: [] }));
    expect(output.isCut).toBe(false);
    expect(output.view().total).toBe(50_001);
    expect(output.view().text(50_000)).toBe('last');
  });

  it.each(['of a command', 'between commands'])('yields to other work if it is costly to render: %s', async (what) => {
    const resets = '\x1bc'.repeat(20);
    const source = sourceOf(resets, { cols: MAX_COLS, rows: MAX_ROWS });
    let turns = 0;
    let isOver = false;
    setImmediate(function count() {
      turns++;
      if (!isOver) setImmediate(count);
    });
    const whole = { toOffset: resets.length, sizes: [] };
    if (what === 'of a command')
      await commandOutput({ id: 'o', fromOffset: 0, ...whole }, source, null).upTo(() => whole);
    else await textOfSpans([[0, resets.length]], source);
    isOver = true;
    expect(turns).toBeGreaterThan(10);
  });

  it('is omitted, and reported as omitted, if rendering takes too long', async () => {
    eachPieceTakes(3000);
    const output = outputOf(text);
    await output.upTo(() => ({ toOffset: text.length, sizes: [] }));
    expect(output.isCut).toBe(true);
    const { total } = output.view();
    expect(total).toBeGreaterThan(1000);
    expect(total).toBeLessThan(50_000);
    expect(output.view().text(total - 1)).toMatch(/^\[\d+ bytes left out: too slow to render\]$/);
  });

  it('printed between commands is omitted in the same way', async () => {
    eachPieceTakes(6000);
    expect(await textOfSpans([[0, text.length]], sourceOf(text))).toMatch(
      /\n\[\d+ bytes left out: too slow to render\]$/,
    );
  });
});

it('reads no more of the output between commands than it shows, however much there is', async () => {
  const text = `${'\x1b[1mx\x1b[2J'.repeat(100_000)}\r\nlast\r\n`;
  const source = sourceOf(text);
  const bytesFrom = jest.fn((from: number, max: number) => source.bytesFrom(from, max));
  const [first, second] = [
    [0, text.length / 2],
    [text.length / 2, text.length],
  ] as const;
  expect(await textOfSpans([first, second], { ...source, bytesFrom })).toMatch(/last$/);
  const read = bytesFrom.mock.results.reduce((sum, { value }) => sum + (value as Uint8Array).length, 0);
  expect(read).toBe(64 << 10);
});
