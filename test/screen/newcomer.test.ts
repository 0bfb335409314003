/**
 * Tests that a client that joins a running terminal gets a snapshot, then the output starting at its offset, and sees
 * the same screen.
 */
import { Transcript } from '../../src/transcript/transcript.js';
import { allBytes, BASH, readUntilText, screenUntil, startEngine, stopEngines } from '../engine/engine-under-test.js';
import { ScreenUnderTest } from './screen-under-test.js';

afterEach(stopEngines);

const SIZE = { cols: 40, rows: 8 };

describe('the snapshot of a terminal', () => {
  it('and the output after it produce what a real shell shows', async () => {
    const manager = startEngine();
    const { id } = await manager.create({ ...BASH, ...SIZE });
    const input = [
      `seq 1 30; printf '\\033[1;31m%s\\033[0m' 'red, wrapped and unfinished: ${'x'.repeat(60)}'; printf '\\033[2;5r\\033['`,
      `printf '4;3Hup\\n'; echo done-$((40+2))`,
    ];
    await manager.write(id, { input: `${input[0]}\n` });
    await readUntilText(manager, id, /unfinished: x+/);
    const { data, offset, cols, rows } = await manager.snapshot(id);
    await manager.write(id, { input: `${input[1]}\n` });
    const screen = await screenUntil(manager, id, ({ lines }) => lines.some((line) => line.startsWith('done-42')));
    await manager.kill(id, {});
    const all = await allBytes(manager, id);

    const newcomer = new ScreenUnderTest(cols, rows);
    newcomer.write(Buffer.from(data));
    newcomer.write(all.subarray(offset, screen.offset));
    expect({ cols, rows }).toEqual(SIZE);
    expect({ ...newcomer.screen.snapshot('text'), offset: screen.offset }).toEqual(screen);
  });

  it('contains the output up to its offset, wherever the output is split', () => {
    const output = Buffer.from(
      'one\r\ntwo\r\n\x1b[1;32mgré€n 你\x1b[m\r\n\x1b]2;title é\x07$ \x1b[?2004h\x1bP1$r0m\x1b\\',
    );
    for (let cut = 0; cut <= output.length; cut++) {
      const transcript = new Transcript({
        id: 'a', ...SIZE, maxLines: 100, maxBytes: 1 << 20, now: () => 0, onReply: () => undefined,
      }); // prettier-ignore
      transcript.append(output.subarray(0, cut));
      const { data, offset } = transcript.snapshot();
      const newcomer = new ScreenUnderTest(SIZE.cols, SIZE.rows);
      newcomer.write(Buffer.from(data));
      newcomer.write(output.subarray(offset));
      const whole = new ScreenUnderTest(SIZE.cols, SIZE.rows);
      whole.write(output);
      expect(offset).toBeLessThanOrEqual(cut);
      expect(newcomer.state).toEqual(whole.state);
    }
  });

  it('of an ended terminal shows its last screen', () => {
    const transcript = new Transcript({
      id: 'a', ...SIZE, maxLines: 100, maxBytes: 1 << 20, now: () => 0, onReply: () => undefined,
    }); // prettier-ignore
    transcript.append(Buffer.from(`\x1b[7m${'w'.repeat(SIZE.cols)}\x1b[m\r\nlast\x1b[3;7H`));
    transcript.finish();
    const { data, offset } = transcript.snapshot();
    const newcomer = new ScreenUnderTest(SIZE.cols, SIZE.rows);
    newcomer.write(Buffer.from(data));
    const { lines, cursor } = newcomer.screen.snapshot('ansi');
    expect(offset).toBe(transcript.end);
    expect(lines).toEqual(transcript.screen('ansi').lines);
    expect(cursor).toEqual(transcript.screen('ansi').cursor);
  });
});
