import fc from 'fast-check';
import { releaseBuffer } from './buffer-pool.js';
import { OutputBuffer } from './output-buffer.js';

describe('OutputBuffer', () => {
  it('returns any range that was appended and not dropped, by its offset', () => {
    const appended = fc.array(fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.constant(new Uint8Array(40_000).fill(7))));
    fc.assert(
      fc.property(appended, fc.array(fc.tuple(fc.nat(), fc.nat())), fc.nat(), (chunks, spans, drop) => {
        const buffer = new OutputBuffer();
        for (const chunk of chunks) buffer.append(chunk);
        const all = Buffer.concat(chunks);
        const dropped = drop % (all.length + 1);
        buffer.dropBefore(dropped);
        expect([buffer.start, buffer.end]).toEqual([dropped, all.length]);
        for (const [a, b] of spans) {
          const from = a % (all.length + 1);
          const to = b % (all.length + 1);
          const expected = all.subarray(Math.max(from, dropped), to);
          expect(buffer.slice(from, to).equals(expected)).toBe(true);
          const copy = buffer.copy(from, to);
          expect(Buffer.from(copy).equals(expected)).toBe(true);
          if (a % 2 === 0) releaseBuffer(copy);
        }
      }),
    );
  });

  it('reuses a copy only after it was returned', () => {
    const buffer = new OutputBuffer();
    buffer.append(Buffer.alloc(64 << 10, 'a'));
    const [kept, done] = [buffer.copy(0, 64 << 10), buffer.copy(0, 64 << 10)];
    releaseBuffer(done);
    buffer.append(Buffer.alloc(64 << 10, 'b'));
    expect(buffer.copy(64 << 10, 128 << 10).buffer).toBe(done.buffer);
    expect(buffer.copy(64 << 10, 128 << 10).buffer).not.toBe(kept.buffer);
    expect(Buffer.from(kept).equals(Buffer.alloc(64 << 10, 'a'))).toBe(true);
  });

  it('frees memory as it drops data, and keeps the same offsets', () => {
    const buffer = new OutputBuffer();
    for (let i = 0; i < 1000; i++) {
      buffer.append(Buffer.alloc(1000, i));
      buffer.dropBefore(buffer.end - 5000);
    }
    expect(buffer.memoryBytes).toBeLessThan(64 << 10);
    expect(buffer.slice(999_000, 1_000_000)).toEqual(Buffer.alloc(1000, 999));
  });

  it('never drops data that was not appended yet, and never moves back', () => {
    const buffer = new OutputBuffer();
    buffer.append(Buffer.from('abc'));
    buffer.dropBefore(100);
    buffer.dropBefore(1);
    expect([buffer.start, buffer.end]).toEqual([3, 3]);
    buffer.append(Buffer.from('def'));
    expect(buffer.slice(0, 100).toString()).toBe('def');
  });
});
