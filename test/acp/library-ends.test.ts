/** Tests that the client in docs/acp.md leaves nothing behind, however it and its agent end. Uses real processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whereLinux } from '../where.js';
import { EXAMPLES, programOf } from './library-examples.js';

const { it: onLinux } = whereLinux();
const AGENT = [process.execPath, join(import.meta.dirname, 'leaving-agent.mjs')];

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'tenacitty-acp-'))));
afterEach(() => {
  for (const pid of left()) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Processes with this test's folder in their environment: the client, its agent, and all they started. */
function left(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readEnvironment(pid).includes(`MARK=${folder}`))
    .map(Number);
}

function readEnvironment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

/** Runs the example until it ends; a signal is sent once the command runs. */
async function runExample(leave: string, signal?: NodeJS.Signals) {
  const { file, args, cwd, env } = programOf(EXAMPLES[0]!, AGENT, folder);
  const client = spawn(file, args, {
    ...{ cwd, stdio: ['ignore', 'ignore', 'pipe'] },
    env: { ...env, MARK: folder, LEAVE: leave },
  });
  const closed = once(client, 'close');
  let stderr = '';
  let wasRunning = false;
  client.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    if (wasRunning || !stderr.includes('running\n')) return;
    wasRunning = true;
    if (signal !== undefined) client.kill(signal);
  });
  const [exitCode, endedBy] = (await closed) as [number | null, NodeJS.Signals | null];
  return { exitCode, endedBy, stderr, wasRunning };
}

describe('the example client in docs/acp.md', () => {
  onLinux('leaves nothing when its agent dies', async () => {
    expect(await runExample('dies')).toMatchObject({ exitCode: 1, wasRunning: true });
    expect(left()).toEqual([]);
  });

  onLinux('leaves nothing when its agent answers with an error, and reports it', async () => {
    const end = await runExample('errors');
    expect(end).toMatchObject({ exitCode: 1, wasRunning: true, stderr: expect.stringContaining('it went wrong') });
    expect(left()).toEqual([]);
  });

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    onLinux(`leaves nothing when it gets ${signal}, and ends by it`, async () => {
      expect(await runExample('stays', signal)).toEqual({
        ...{ exitCode: null, endedBy: signal },
        ...{ stderr: 'running\n', wasRunning: true },
      });
      expect(left()).toEqual([]);
    });
  }
});
