/** A fresh copy of the project, in which `npm start` can be run: the packages are linked, npm is a stand-in. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const COPIED = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts', 'src'];

/** Stands in for npm, so that no test installs anything: says how it was called and leaves npm's note. */
const FAKE_NPM = '#!/bin/sh\necho "npm was called: $*" >&2\ntouch node_modules/.package-lock.json\n';

/** A build takes many times longer than alone when the other tests have the cores. */
export const BUILDS_TIMEOUT_MS = 120_000;

/** The copy of a test file. To be called where its tests are declared. */
export function copyOfProject(): CopiedProject {
  const project = new CopiedProject();
  afterEach(() => project.stop());
  afterAll(() => project.remove());
  return project;
}

class CopiedProject {
  readonly directory = mkdtempSync(join(tmpdir(), 'tenacitty-copy-'));
  #child: ChildProcess | undefined;

  constructor() {
    for (const name of COPIED) cpSync(join(ROOT, name), join(this.directory, name), { recursive: true });
    // The packages are linked one by one into a folder of the copy's own: the real folder stays out of reach.
    const [modules, copiedModules] = [join(ROOT, 'node_modules'), join(this.directory, 'node_modules')];
    mkdirSync(copiedModules);
    for (const name of readdirSync(modules)) {
      if (!name.startsWith('.')) symlinkSync(join(modules, name), join(copiedModules, name));
    }
    mkdirSync(join(this.directory, 'bin'));
    writeFileSync(join(this.directory, 'bin', 'npm'), FAKE_NPM, { mode: 0o755 });
  }

  /** What `npm start` runs: starts, waits for the banner or the end, and stops. Answers with all that was said. */
  async start(...args: string[]): Promise<{ said: string; code: number | null }> {
    const path = `${join(this.directory, 'bin')}:${process.env['PATH']}`;
    const env = { ...process.env, NODE_OPTIONS: '', TENACITTY_PORT: '0', PATH: path };
    const child = spawn(process.execPath, ['scripts/start.mjs', ...args], { cwd: this.directory, env });
    this.#child = child;
    const ended = once(child, 'close');
    let said = '';
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      if (/Stop .*\n/.test(said)) child.kill('SIGTERM');
    });
    const [code] = (await ended) as [number | null];
    return { said, code };
  }

  /** Ends what a test has left running. */
  stop(): void {
    this.#child?.kill('SIGKILL');
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
