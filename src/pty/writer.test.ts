import { PtyWriter } from './writer.js';

/** Accepts as many bytes as it has room for, and then throws EAGAIN, as a pseudo-terminal does. */
class SlowReader {
  room = 0;
  attempts = 0;
  isGone = false;
  taken = '';

  write = (_fd: number, bytes: Uint8Array, offset: number, length: number): number => {
    this.attempts++;
    if (this.isGone) throw Object.assign(new Error('EIO'), { code: 'EIO' });
    const size = Math.min(length, this.room);
    if (size === 0) throw Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' });
    this.room -= size;
    this.taken += Buffer.from(bytes.subarray(offset, offset + size)).toString('latin1');
    return size;
  };
}

const SECOND_MS = 1000;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

function setUp(): { reader: SlowReader; writer: PtyWriter } {
  const reader = new SlowReader();
  return { reader, writer: new PtyWriter(0, reader.write) };
}

describe('a PTY writer', () => {
  it('writes immediately what can be written', () => {
    const { reader, writer } = setUp();
    reader.room = 10;
    writer.write(Buffer.from('hello'));
    expect(reader.taken).toBe('hello');
    expect(writer.pendingBytes).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('tries at most about thirty times a second while nothing is read', () => {
    const { reader, writer } = setUp();
    writer.write(Buffer.from('hello'));
    jest.advanceTimersByTime(SECOND_MS);
    const before = reader.attempts;
    jest.advanceTimersByTime(10 * SECOND_MS);
    expect(reader.attempts - before).toBeLessThanOrEqual(320);
    expect(writer.pendingBytes).toBe(5);
  });

  it('delivers everything in order, however little is read at a time', () => {
    const { reader, writer } = setUp();
    let expected = '';
    for (let index = 0; index < 500; index++) {
      const text = `${index},`.repeat(index % 7);
      expected += text;
      writer.write(Buffer.from(text));
      reader.room += index % 5;
      jest.advanceTimersByTime(1);
    }
    reader.room = Infinity;
    jest.advanceTimersByTime(SECOND_MS);
    expect(reader.taken).toBe(expected);
    expect(writer.pendingBytes).toBe(0);
  });

  it('continues soon once input is read again', () => {
    const { reader, writer } = setUp();
    writer.write(Buffer.from('x'.repeat(10)));
    jest.advanceTimersByTime(SECOND_MS);
    reader.room = 1;
    jest.advanceTimersToNextTimer();
    reader.room = 9;
    jest.advanceTimersByTime(1);
    expect(reader.taken).toHaveLength(10);
  });

  it('writes a large input in several turns', () => {
    const { reader, writer } = setUp();
    reader.room = Infinity;
    writer.write(new Uint8Array(1 << 20).fill(120));
    expect(reader.taken).toHaveLength(64 * 1024);
    jest.runAllTimers();
    expect(reader.taken).toHaveLength(1 << 20);
  });

  it('keeps its own copy of pending input', () => {
    const { reader, writer } = setUp();
    const bytes = Buffer.from('before');
    writer.write(bytes);
    bytes.write('after!');
    reader.room = 6;
    jest.runAllTimers();
    expect(reader.taken).toBe('before');
  });

  it('drops pending input when no process is left to read it', () => {
    const { reader, writer } = setUp();
    writer.write(Buffer.from('hello'));
    reader.isGone = true;
    jest.runAllTimers();
    expect(writer.pendingBytes).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('writes nothing after it was stopped', () => {
    const { reader, writer } = setUp();
    writer.write(Buffer.from('hello'));
    writer.stop();
    writer.stop();
    reader.room = Infinity;
    writer.write(Buffer.from('more'));
    jest.runAllTimers();
    expect(reader.taken).toBe('');
    expect(writer.pendingBytes).toBe(0);
  });
});
