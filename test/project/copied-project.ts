/**
 * A new copy of the project in which `npm start` can run: the packages are linked, and npm is replaced by a stand-in.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const COPIED = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts', 'src', 'web'];

/** Replaces npm, so that no test installs anything: prints its arguments and writes npm's record. */
const FAKE_NPM = '#!/bin/sh\necho "npm was called: $*" >&2\ntouch node_modules/.package-lock.json\n';

/** While other tests use the cores, a build takes many times longer than alone. */
export const BUILDS_TIMEOUT_MS = 120_000;

/** Creates the copy for a test file. Call it where the tests are declared. */
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
    for (const name of COPIED)
      cpSync(join(ROOT, name), join(this.directory, name), { recursive: true, preserveTimestamps: true });
    // Links the packages one by one into a folder of the copy, so that the real folder cannot be modified.
    const [modules, copiedModules] = [join(ROOT, 'node_modules'), join(this.directory, 'node_modules')];
    mkdirSync(copiedModules);
    for (const name of readdirSync(modules)) {
      if (!name.startsWith('.')) symlinkSync(join(modules, name), join(copiedModules, name));
    }
    mkdirSync(join(this.directory, 'bin'));
    writeFileSync(join(this.directory, 'bin', 'npm'), FAKE_NPM, { mode: 0o755 });
  }

  /**
   * Runs the script behind `npm start`: starts it, waits for the banner or the end, and stops it. Returns its whole
   * output.
   */
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
