/** Runs the example with the development server, unchanged, against a server in its own process. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../project/command-line.js';

const SCRIPT = join(import.meta.dirname, '..', '..', 'examples', 'dev-server', 'run.sh');
/** Stops npm from checking the network for updates. */
const QUIET_NPM = { NPM_CONFIG_UPDATE_NOTIFIER: 'false' };

let folder: string;
let server: CommandLine | undefined;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tenacitty-example-'))));
afterEach(async () => {
  server?.child.kill('SIGTERM');
  await server?.ended();
  server = undefined;
  rmSync(folder, { recursive: true });
});

async function startServer(env: Readonly<Record<string, string>> = {}): Promise<string> {
  server = new CommandLine(folder, ['serve', '--port=0'], { ...QUIET_NPM, ...env });
  return server.url();
}

interface Told {
  readonly code: number;
  readonly story: string;
  readonly complaint: string;
}

function runExample(url: string, env: Readonly<Record<string, string>> = {}): Promise<Told> {
  return new Promise((resolve) => {
    execFile(SCRIPT, [url], { env: { ...process.env, ...env } }, (error, story, complaint) => {
      resolve({ code: error === null ? 0 : Number(error.code), story, complaint });
    });
  });
}

describe('the development server example', () => {
  it('starts it, reads new output, stops it, and leaves nothing behind', async () => {
    const url = await startServer();
    const { code, story, complaint } = await runExample(url);
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    const told = ['Local:   http://127.0.0.1:', '| GET / 200', '| Changed: index.html', 'exit code 130'];
    const places = told.map((words) => story.indexOf(words));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    const left = (await (await fetch(`${url}/api/terminals`)).json()) as { data: { count: number } };
    expect(left.data.count).toBe(0);
  });

  it('repeats no line of the log', async () => {
    const { story } = await runExample(await startServer());
    for (const line of ['| GET / 200', '| Changed: index.html']) expect(story.split(line)).toHaveLength(2);
  });

  it('works with an API key, and reports a missing one', async () => {
    const { stdout } = await new CommandLine(folder, ['key', 'create']).ended();
    const url = await startServer({ TENACITTY_TRUST_LOCAL: 'false' });
    expect(await runExample(url, { API_KEY: stdout.trim() })).toMatchObject({ code: 0, complaint: '' });
    const { code, complaint } = await runExample(url);
    expect(code).not.toBe(0);
    expect(complaint).toContain('UNAUTHORIZED');
  });

  it('fails with a message if there is no server', async () => {
    const { code, complaint } = await runExample('http://127.0.0.1:1');
    expect(code).not.toBe(0);
    expect(complaint).toContain('Failed to connect');
  });
});
