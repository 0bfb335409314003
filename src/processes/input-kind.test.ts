import { parseModes, withKind } from './input-kind.js';
import type { InputProbe } from './input-probe.js';

const LINE = { isByLine: true, isEchoing: true };
const HIDDEN_LINE = { isByLine: true, isEchoing: false };
const KEYS = { isByLine: false, isEchoing: false };
const ECHOED_KEYS = { isByLine: false, isEchoing: true };

function probeOf(by: string, certain: boolean): InputProbe {
  const waiting = { kind: 'unknown' as const, by, pid: 7, certain };
  return { waiting, isKnown: true, foreground: null, tty: '/dev/pts/9', cpuTicks: 0 };
}

const BLIND: InputProbe = {
  ...{ waiting: null, isKnown: false, tty: '/dev/pts/9', cpuTicks: 0 },
  foreground: { group: 8, isOwn: false, processes: [{ pid: 8, name: 'sudo' }] },
};

describe('the kind of input', () => {
  it.each([
    ['cat', true, LINE, 'line'],
    ['sudo', true, HIDDEN_LINE, 'password'],
    ['bash', true, ECHOED_KEYS, 'key'],
    ['bash', true, KEYS, 'key'],
    ['less', true, KEYS, 'program'],
    ['vim', false, KEYS, 'program'],
    ['bash', false, KEYS, 'program'],
    ['node', false, LINE, 'line'],
    ['ssh', true, HIDDEN_LINE, 'password'],
    ['docker', true, LINE, 'line'],
  ])('by %s (blocked: %j) in a terminal with %j: %s', (by, certain, modes, kind) => {
    expect(withKind(probeOf(by, certain), modes).waiting).toMatchObject({ kind, by, certain });
  });

  it('is unknown for a relay to another machine', () => {
    expect(withKind(probeOf('docker', true), KEYS)).toMatchObject({ waiting: null, isKnown: false });
  });

  it('is a password if no process can be examined and the terminal hides a line', () => {
    const waiting = { kind: 'password', by: 'sudo', pid: 8, certain: false };
    expect(withKind(BLIND, HIDDEN_LINE)).toMatchObject({ waiting, isKnown: true });
    expect(withKind(BLIND, LINE)).toBe(BLIND);
    expect(withKind(BLIND, KEYS)).toBe(BLIND);
  });

  it('stays unknown if the modes of the terminal cannot be read', () => {
    expect(withKind(probeOf('cat', true), null).waiting).toMatchObject({ kind: 'unknown', certain: true });
  });

  it('is absent if no process waits, whatever the modes are', () => {
    const nobody = { ...BLIND, isKnown: true };
    expect(withKind(nobody, HIDDEN_LINE)).toBe(nobody);
  });
});

describe('the modes of a terminal', () => {
  it('are parsed from the output of stty on Linux and on macOS', () => {
    expect(parseModes('isig icanon iexten -echo echoe echok -echonl\n')).toEqual(HIDDEN_LINE);
    expect(parseModes('lflags: -icanon isig iexten echo echoe -echok\n\tcchars: discard = ^O;')).toEqual(ECHOED_KEYS);
  });

  it('are not parsed from any other text', () => {
    expect(parseModes("stty: 'standard input': Inappropriate ioctl for device")).toBeNull();
    expect(parseModes('')).toBeNull();
  });
});
