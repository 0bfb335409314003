/** The time to run a minimal program from the command line, with no host running and with a host running already. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { ROOT } from '../contender.js';
import { OwnHosts } from '../hosts.js';
import { ratios } from '../numbers.js';
import { byTurns } from '../row.js';
import type { Measurement, BenchRow } from '../row.js';

/** A start is short and its duration varies, so there are more starts than rounds. */
const MIN_STARTS = 10;
const TENACITTY = [process.execPath, join(ROOT, 'dist', 'cli', 'main.js'), 'run', '--', 'true'];
const BARE_NODE = [process.execPath, '-e', '0'];

/** The first starts the process that holds the terminal; the second finds it running. */
interface Starts {
  readonly firstMs: number;
  readonly secondMs: number;
}

export const run: BenchRow = {
  name: 'run',
  what:
    '`tenacitty run -- true` until it has ended: the first run, which starts a host, and the second, which ' +
    'finds it running. Compared with `node -e 0` and with the first and second `tmux new -d`, which does not ' +
    'wait for a program; at least 10 times.',
  async measure(bench) {
    const rounds = Math.max(bench.rounds, MIN_STARTS);
    const tmux = hasTmux() ? { tmux: measureTmux } : {};
    const times: { node: number[]; tenacitty: Starts[]; tmux?: Starts[] } = await byTurns(
      { ...bench, rounds },
      { node: () => timeOf(BARE_NODE), tenacitty: measureTenacitty, ...tmux },
    );
    const second = times.tenacitty.map(({ secondMs }) => secondMs);
    return [
      { measure: 'first tenacitty run', unit: 'ms', samples: times.tenacitty.map(({ firstMs }) => firstMs) },
      { measure: 'second tenacitty run', unit: 'ms', samples: second },
      { measure: 'node -e 0', unit: 'ms', samples: times.node },
      { measure: 'second tenacitty run : node -e 0', unit: '×', samples: ratios(second, times.node) },
      ...tmuxFindings(times.tmux),
    ];
  },
};

function tmuxFindings(times: readonly Starts[] | undefined): Measurement[] {
  if (times === undefined) return [{ measure: 'tmux new -d: not installed here', unit: 'ms', samples: [] }];
  return [
    { measure: 'first tmux new -d', unit: 'ms', samples: times.map(({ firstMs }) => firstMs) },
    { measure: 'second tmux new -d', unit: 'ms', samples: times.map(({ secondMs }) => secondMs) },
  ];
}

async function measureTenacitty(): Promise<Starts> {
  const hosts = new OwnHosts();
  const env = { HOME: hosts.directory, TENACITTY_DATA_DIR: hosts.dataDir, TENACITTY_RUNTIME_DIR: hosts.runtimeDir };
  try {
    return { firstMs: await timeOf(TENACITTY, env), secondMs: await timeOf(TENACITTY, env) };
  } finally {
    await hosts.end();
  }
}

const hasTmux = (): boolean => spawnSync('tmux', ['-V']).status === 0;

/** A program that keeps running keeps tmux's server alive for the second start. */
async function measureTmux(): Promise<Starts> {
  const directory = mkdtempSync(join(tmpdir(), 'tenacitty-bench-'));
  const tmux = ['tmux', '-S', join(directory, 'socket'), '-f', '/dev/null'];
  try {
    const firstMs = await timeOf([...tmux, 'new-session', '-d', 'sleep', '1000']);
    return { firstMs, secondMs: await timeOf([...tmux, 'new-session', '-d', 'true']) };
  } finally {
    spawnSync(tmux[0]!, [...tmux.slice(1), 'kill-server']);
    rmSync(directory, { recursive: true, force: true });
  }
}

async function timeOf([file, ...args]: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  const start = performance.now();
  const child = spawn(file!, args, { stdio: 'ignore', env: { PATH: process.env.PATH, ...env } });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${[file, ...args].join(' ')} ended with ${code}`);
  return performance.now() - start;
}
