import fc from 'fast-check';
import { polledIn, registeredIn, selectedIn } from './awaited-descriptors.js';
import { parseSyscall, syscallTable } from './syscalls.js';

const FDS = fc.uniqueArray(fc.nat({ max: 1023 }), { maxLength: 20 });
const ascending = (all: readonly number[]): number[] => [...all].sort((a, b) => a - b);

describe('the awaited descriptors', () => {
  it('are those in a set of select', () => {
    fc.assert(
      fc.property(FDS, (fds) => {
        const memory = Buffer.alloc(128);
        for (const fd of fds) memory[fd >> 3]! |= 1 << (fd & 7);
        expect(selectedIn(memory, 1024)).toEqual(ascending(fds));
        expect(selectedIn(memory, 10)).toEqual(ascending(fds.filter((fd) => fd < 10)));
      }),
    );
  });

  it('are those that poll waits to read from', () => {
    const entries = fc.array(fc.tuple(fc.integer({ min: -2, max: 999 }), fc.constantFrom(0, 1, 4, 5)));
    fc.assert(
      fc.property(entries, (all) => {
        const memory = Buffer.alloc(all.length * 8);
        all.forEach(([fd, events], index) => {
          memory.writeInt32LE(fd, index * 8);
          memory.writeInt16LE(events, index * 8 + 4);
        });
        const readable = all.filter(([fd, events]) => fd >= 0 && events % 2 === 1);
        expect(polledIn(memory)).toEqual(ascending(readable.map(([fd]) => fd)));
      }),
    );
  });

  it('are those registered with epoll for reading', () => {
    const info =
      'pos:\t0\nflags:\t02\ntfd:       21 events:       19 data: 15\ntfd:        0 events:        1 data: 0\n';
    expect(registeredIn(`${info}tfd:        5 events:        4 data: 5\n`)).toEqual([0, 21]);
  });
});

describe('a system call', () => {
  it('is parsed with its arguments', () => {
    expect(parseSyscall('0 0x3 0x7f38304e2000 0x20000 0x0 0xffffffff 0x0 0x7fff15f61ef8 0x7f383065e2ad\n')).toEqual({
      number: 0,
      args: [3n, 0x7f38304e2000n, 0x20000n, 0n, 0xffffffffn, 0n],
    });
  });

  it('is absent for a thread that runs, or is in the kernel for another reason', () => {
    expect(parseSyscall('running\n')).toBeNull();
    expect(parseSyscall('-1 0x7ffd 0x7f38\n')).toBeNull();
  });

  it('is identified by the numbers of each architecture', () => {
    expect(syscallTable('x64')?.waits.get(7)).toBe('poll');
    expect(syscallTable('arm64')?.waits.get(73)).toBe('poll');
    expect(syscallTable('riscv64')).toBeNull();
  });
});
