import { InputWatch } from './input-watch.js';
import type { InputProbe } from './input-probe.js';

const NOBODY: InputProbe = { waiting: null, isKnown: true, foreground: null, tty: '/dev/pts/9', cpuTicks: 0 };
const HIDDEN: InputProbe = { ...NOBODY, isKnown: false };
const BLOCKED = waitingProbe(true);
const LISTENING = waitingProbe(false);

function waitingProbe(certain: boolean, pid = 7): InputProbe {
  return { ...NOBODY, waiting: { kind: 'unknown', by: 'program', pid, certain } };
}

/** Simulates a terminal whose clock advances only when the terminal is checked. */
class Scene {
  nowMs = 1000;
  outputEnd = 0;
  probe: InputProbe = NOBODY;
  probes = 0;
  probeMs = 0;
  readonly watch = new InputWatch({
    now: () => this.nowMs,
    outputEnd: () => this.outputEnd,
    probe: () => {
      this.probes++;
      this.nowMs += this.probeMs;
      return this.probe;
    },
  });

  /**
   * Checks the terminal as often as requested, for the given time. Returns after how many milliseconds the result was
   * settled, or null if it was not.
   */
  settledAfter(ms: number, beforeLook: () => void = () => {}): number | null {
    const start = this.nowMs;
    while (this.nowMs - start <= ms) {
      beforeLook();
      const { settled, nextMs } = this.watch.check();
      if (settled !== null) return this.nowMs - start;
      expect(nextMs).toBeGreaterThan(0);
      this.nowMs += nextMs;
    }
    return null;
  }
}

describe('an input watch', () => {
  it('reports a wait after three agreeing probes, the first after a short silence', () => {
    const scene = new Scene();
    scene.probe = BLOCKED;
    expect(scene.settledAfter(10_000)).toBe(120 + 80 + 80);
    expect(scene.probes).toBe(3);
  });

  it('does not probe during output, and starts again after it', () => {
    const scene = new Scene();
    scene.probe = BLOCKED;
    expect(scene.settledAfter(10_000, () => scene.outputEnd++)).toBeNull();
    expect(scene.probes).toBe(0);
    scene.outputEnd++;
    expect(scene.settledAfter(10_000)).toBe(280);
  });

  it('starts again if another process waits', () => {
    const scene = new Scene();
    let pid = 1;
    expect(scene.settledAfter(10_000, () => (scene.probe = waitingProbe(true, pid++)))).toBeNull();
    expect(scene.settledAfter(10_000, () => (scene.probe = scene.probe === NOBODY ? BLOCKED : NOBODY))).toBeNull();
  });

  it('gives a program that also listens to other sources time to continue', () => {
    const scene = new Scene();
    scene.probe = LISTENING;
    const ms = scene.settledAfter(10_000);
    expect(ms).toBeGreaterThanOrEqual(1500);
    expect(ms).toBeLessThan(2000);
  });

  it('does not report a program as waiting while it works, until it stops', () => {
    const scene = new Scene();
    const work = (): void => void (scene.probe = { ...LISTENING, cpuTicks: Math.floor(scene.nowMs / 20) });
    expect(scene.settledAfter(30_000, work)).toBeNull();
    expect(scene.settledAfter(10_000)).toBeLessThan(3300);
  });

  it('tolerates the little work of a timer', () => {
    const scene = new Scene();
    const tick = (): void => void (scene.probe = { ...LISTENING, cpuTicks: Math.floor(scene.nowMs / 500) });
    expect(scene.settledAfter(10_000, tick)).toBeLessThan(2000);
  });

  it('probes a program that does not wait less often, and at the usual rate again after output', () => {
    const scene = new Scene();
    expect(scene.settledAfter(60_000)).toBeNull();
    expect(scene.probes).toBeLessThan(60_000 / 300);
    expect(scene.watch.check().nextMs).toBe(400);
    scene.outputEnd++;
    scene.watch.check();
    scene.nowMs += 120;
    expect(scene.watch.check().nextMs).toBe(80);
  });

  it('limits the time spent on slow probes', () => {
    const scene = new Scene();
    scene.probeMs = 30;
    expect(scene.settledAfter(60_000)).toBeNull();
    expect(scene.probes * scene.probeMs).toBeLessThan(60_000 / 15);
  });

  it('reports now and then that nothing can be determined, so that the terminal can be queried', () => {
    const scene = new Scene();
    scene.probe = HIDDEN;
    const times: number[] = [];
    for (let ms = scene.settledAfter(5000); ms !== null && times.length < 3; ms = scene.settledAfter(5000)) {
      times.push(scene.nowMs);
      scene.nowMs += 1;
    }
    expect(times).toHaveLength(3);
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(1000);
  });
});
