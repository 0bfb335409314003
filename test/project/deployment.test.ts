/** Checks files for deployment that cannot be built here by reading them: container, service unit, CI, package. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseDuration } from '../../src/duration.js';
import { SETTINGS } from '../../src/config/settings.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import { EMPTY_SUMMARY } from '../../src/host/summaries.js';
import { Metrics } from '../../src/http/metrics.js';
import { GatedServer } from '../access/gated-server.js';
import { where } from '../where.js';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const run = promisify(execFile);

interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** Returns the instructions in order, with continuation lines joined and comments removed. */
function instructionsOf(dockerfile: string): Instruction[] {
  const lines = dockerfile.replace(/^\s*#.*\n/gm, '').replace(/\\\n\s*/g, '');
  return lines
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => ({ name: line.split(' ')[0]!, value: line.slice(line.indexOf(' ') + 1).trim() }));
}

describe('the Dockerfile', () => {
  const all = instructionsOf(read('Dockerfile'));
  const lastStage = all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
  const valuesOf = (name: string) => lastStage.filter((one) => one.name === name).map(({ value }) => value);

  it('builds on a supported Node with glibc, in two stages', () => {
    const bases = all.filter(({ name }) => name === 'FROM').map(({ value }) => value);
    expect(bases).toEqual(['node:24-slim AS build', 'node:24-slim']);
  });

  it('runs no package’s install script and leaves the compiler behind', () => {
    const installs = all.filter(({ name, value }) => name === 'RUN' && value.includes('npm ci'));
    expect(installs.every(({ value }) => value.includes('--ignore-scripts'))).toBe(true);
    expect(valuesOf('RUN').find((value) => value.includes('npm ci'))).toContain('--omit=dev');
  });

  it('runs as a user other than root, under tini, with its data in a volume', () => {
    expect(valuesOf('USER')).toEqual(['node']);
    expect(JSON.parse(valuesOf('ENTRYPOINT')[0]!)).toEqual(['tini', '-g', '--', 'tenacitty']);
    expect(valuesOf('VOLUME')).toEqual(['/data']);
    expect(valuesOf('ENV')).toEqual(['TENACITTY_HOST=0.0.0.0 TENACITTY_DATA_DIR=/data']);
    expect(valuesOf('EXPOSE')).toEqual([SETTINGS.TENACITTY_PORT.fallback]);
    expect(valuesOf('STOPSIGNAL')).toEqual(['SIGTERM']);
  });

  it('copies only files that .dockerignore allows', () => {
    const allowed = read('.dockerignore').match(/(?<=^!).+/gm);
    const copied = all.filter(({ name, value }) => name === 'COPY' && !value.startsWith('--from'));
    const sources = copied.flatMap(({ value }) => value.split(' ').slice(0, -1));
    expect([...new Set(sources)].sort()).toEqual([...allowed!].sort());
  });

  describe('has a health check', () => {
    const command = JSON.parse(/CMD (\[.*\])$/.exec(valuesOf('HEALTHCHECK')[0]!)![1]!) as string[];
    const check = (port: number, name = 'TENACITTY_PORT') =>
      run(process.execPath, command.slice(1), { env: { [name]: String(port) } }).then(
        () => 'healthy',
        () => 'unhealthy',
      );

    it.each([true, false])('that a running server passes, with or without local trust (%s)', async (trustLocal) => {
      const server = await new GatedServer({ trustLocal }, '0.0.0.0').listen();
      expect(await check(server.port)).toBe('healthy');
      expect(await check(server.port, 'PORT')).toBe('healthy');
      await server.close();
    });

    it('that a stopped server fails', async () => {
      const server = await new GatedServer().listen();
      const { port } = server;
      await server.close();
      expect(await check(port)).toBe('unhealthy');
    });
  });
});

describe('the systemd unit', () => {
  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

  where(hasSystemd, 'systemd-analyze').it('is valid for systemd', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', 'deploy/tenacitty.service'], { cwd: ROOT });
    expect({ status, complaint: stderr.toString() }).toEqual({ status: 0, complaint: '' });
  });

  where(hasSystemd, 'systemd-analyze').it('is rated as little exposed with hardened.conf', () => {
    const directory = mkdtempSync(join(tmpdir(), 'tenacitty-unit-'));
    const unit = join(directory, 'tenacitty.service');
    writeFileSync(unit, `${read('deploy/tenacitty.service')}\n${read('deploy/hardened.conf')}`);
    const checked = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    const rated = spawnSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', unit], { encoding: 'utf8' });
    rmSync(directory, { recursive: true });
    expect({ status: checked.status, complaint: checked.stderr }).toEqual({ status: 0, complaint: '' });
    // From 0, not exposed, to 10; without hardened.conf, it is 9.2.
    expect(Number(/exposure level[^\d]*([\d.]+)/i.exec(rated.stdout)?.[1])).toBeLessThan(5);
  });

  it('ends only the server, keeps the sockets of hosts, and allows enough time', () => {
    const unit = read('deploy/tenacitty.service');
    expect(unit).toMatch(/^KillMode=process$/m);
    expect(unit).toMatch(/^RuntimeDirectoryPreserve=yes$/m);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) * 1000).toBeGreaterThan(
      parseDuration(SETTINGS.TENACITTY_KILL_GRACE_MS.fallback)! * 2,
    );
  });
});

describe('the files for Prometheus', () => {
  it('use only metrics that the server has', async () => {
    const figures = { slot: 0, load: { active: 1, memoryBytes: 1 }, responseMs: 1 };
    const manager = { summary: async () => EMPTY_SUMMARY } as unknown as TerminalManager;
    const metrics = new Metrics();
    metrics.countRefusal('UNAUTHORIZED');
    const text = await metrics.text({ manager, hosts: async () => [figures], version: '1' });
    const rules = read('deploy/tenacitty.rules.yml');
    const expressions = rules.match(/expr: .*/g)!;
    expect(expressions).toHaveLength(3);
    for (const name of expressions.join().match(/tenacitty_\w+/g)!) expect(text).toContain(`\n${name}`);
    expect(text).toContain('{code="UNAUTHORIZED"}');
    expect(read('deploy/prometheus.yml')).toContain(SETTINGS.TENACITTY_PORT.fallback);
  });
});

describe('the compose file', () => {
  it('publishes the port on this machine only, and keeps the data in a volume', () => {
    const file = read('deploy/compose.yaml');
    const port = SETTINGS.TENACITTY_PORT.fallback;
    expect(file).toContain(`- 127.0.0.1:${port}:${port}\n`);
    expect(file).toContain('- data:/data\n');
  });

  const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;

  where(hasCompose, 'docker compose').it('is valid for docker compose', () => {
    const { status, stderr } = spawnSync('docker', ['compose', '--file', 'deploy/compose.yaml', 'config', '--quiet'], {
      ...{ cwd: ROOT, encoding: 'utf8' as const },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('the package', () => {
  it('is packed and named by the command in the unit, without other output', () => {
    const [, pack = ''] =
      /npm install --global "\.\/\$\((npm pack[^)]*)\)"/.exec(read('deploy/tenacitty.service')) ?? [];
    const { stdout } = spawnSync('sh', ['-c', `${pack} --dry-run`], { cwd: ROOT, encoding: 'utf8' });
    expect(stdout).toBe(`tenacitty-${manifest.version}.tgz\n`);
  });

  const manifest = JSON.parse(read('package.json')) as {
    version: string;
    license: string;
    engines: { node: string };
    bin: Record<string, string>;
    scripts: Record<string, string>;
    dependencies: Record<string, string>;
  };
  const lock = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; link?: boolean; hasInstallScript?: boolean; resolved?: string }>;
  };

  it('contains nothing of the packages that are published separately', () => {
    const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT });
    const [{ files }] = JSON.parse(stdout.toString()) as [{ files: { path: string }[] }];
    expect(files.filter(({ path }) => path.startsWith('packages/'))).toEqual([]);
    expect(files.map(({ path }) => path)).toContain('README.md');
  });

  it('needs no install script of any dependency', () => {
    const needed = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
    expect(needed.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  });

  it('pins each dependency exactly', () => {
    for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  });

  it('names no registry in the lock file', () => {
    expect(Object.values(lock.packages).filter(({ resolved, link }) => resolved && !link)).toEqual([]);
  });

  it('has the licence that it states', () => {
    expect(manifest.license).toBe('MIT');
    expect(read('LICENSE')).toMatch(/^MIT License/);
  });

  it('has a command that Node runs', () => {
    expect(manifest.bin).toEqual({ tenacitty: 'dist/cli/main.js' });
    expect(read('dist/cli/main.js')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('starts without a shell in between, which would withhold signals to npm from the server', () => {
    expect(manifest.scripts['start']).toMatch(/^exec node /);
  });

  it('is tested by CI on the oldest supported Node and on the newest', () => {
    const versions = /node: \[([\d, ]+)\]/.exec(read('.github/workflows/ci.yml'))![1]!.split(', ');
    expect(manifest.engines.node).toBe('>=20.19');
    expect(versions).toEqual(['20', '22', '24', '26']);
  });

  it('is tested by one command', () => {
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).toBe(0o111);
    expect(read('.ci/run')).toContain('exec npm test');
    execFileSync('bash', ['-n', '.ci/run'], { cwd: ROOT });
  });
});
