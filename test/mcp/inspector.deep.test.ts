/**
 * Tests the official inspector's command line, with which people try a server: each method over stdio in both
 * revisions, and over HTTP with a key. `npm test` installs it (`test/tools`).
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { McpMount } from '../../src/mcp/mount.js';
import { MAIN, Place } from '../cli/place.js';
import { startServer } from '../http/server-under-test.js';
import { ERAS } from './client.js';

const INSPECTOR = join(
  import.meta.dirname,
  '../tools/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
const WORKSPACE = 'inspected';
const KEY = 'tty_for-this-test-only-0123456789abcdef0123';

let place: Place;
beforeAll(async () => {
  if (!existsSync(INSPECTOR)) throw new Error('the inspector is not installed: node scripts/test-packages.mjs');
  place = await new Place().ready();
});
afterAll(() => place.close());

interface Inspected {
  readonly code: number | null;
  /** The server's result; undefined if there is none. */
  readonly result: Record<string, unknown> | undefined;
  readonly stderr: string;
}

/** As flags, because the inspector passes on almost none of its environment variables. */
function places(): string[] {
  return ['--data-dir', place.env['TENACITTY_DATA_DIR']!, '--runtime-dir', place.env['TENACITTY_RUNTIME_DIR']!];
}

async function inspect(...args: readonly string[]): Promise<Inspected> {
  const env = { ...place.env, TENACITTY_SHELL_PATH: '/bin/bash' };
  const child = spawn(process.execPath, [INSPECTOR, '--cli', ...args, '--format', 'json'], {
    ...{ env, cwd: place.directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  const said = stdout === '' ? undefined : (JSON.parse(stdout) as { result: Record<string, unknown> });
  return { code, result: said?.result, stderr };
}

describe.each(ERAS)('over stdio, in the %s revision', (era) => {
  const ask = (method: string, ...args: readonly string[]) =>
    inspect(
      process.execPath,
      MAIN,
      'mcp',
      ...places(),
      '--workspace',
      WORKSPACE,
      '--protocol-era',
      era,
      '--method',
      method,
      ...args,
    );
  const call = (...args: readonly string[]) =>
    ask('tools/call', '--tool-name', 'terminal', ...args.flatMap((arg) => ['--tool-arg', arg]));

  it('accepts the schema, which contains nothing that some clients refuse', async () => {
    const { code, result, stderr } = await ask('tools/list', '--strict');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(result).toMatchObject({ tools: [{ name: 'terminal' }] });
  });

  it('runs a command, and reads and lists its result in separate calls', async () => {
    const output = { type: 'text', text: `said in ${era}` };
    expect(await call(`command=echo said in ${era}`)).toMatchObject({ code: 0, result: { content: [{}, output] } });
    const [read, list] = await Promise.all([call('action=READ'), call('action=LIST')]);
    expect(read).toMatchObject({ code: 0, result: { content: [{}, output] } });
    const listed = { text: expect.stringMatching(/^terminal 0: free \(exit code 0\)/) };
    expect(list).toMatchObject({ code: 0, result: { content: [{}, listed] } });
  });

  it('gets errors of a call as an answer of the tool', async () => {
    const { result } = await call('command=echo', 'tail=0');
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('tail') }] });
  });

  it('lists and reads resources', async () => {
    await call('command=echo to be read');
    const [list, read, absent] = await Promise.all([
      ask('resources/list'),
      ask('resources/read', '--uri', 'terminal://0/output'),
      ask('resources/read', '--uri', 'terminal://77'),
    ]);
    expect(list.result).toMatchObject({
      resources: [
        { uri: 'terminal://0', title: 'Screen of terminal 0' },
        { uri: 'terminal://0/output', title: 'Output of terminal 0' },
      ],
    });
    expect(read).toMatchObject({ code: 0, result: { contents: [{ text: 'to be read' }] } });
    expect(absent).not.toMatchObject({ code: 0 });
  });

  it('lists and gets the guide', async () => {
    const [list, prompt] = await Promise.all([ask('prompts/list'), ask('prompts/get', '--prompt-name', 'terminals')]);
    expect(list.result).toMatchObject({ prompts: [{ name: 'terminals' }] });
    expect(prompt.result).toMatchObject({ messages: [{ content: { text: expect.stringContaining('EXEC') } }] });
  });
});

describe('over HTTP', () => {
  it.each(ERAS)('in the %s revision, is admitted with a key, and not without', async (era) => {
    const server = await startServer({
      engine: { defaultShell: '/bin/bash' },
      gate: { apiKeyHashes: [createHash('sha256').update(KEY).digest('hex')], trustLocal: false },
      mounts: (manager) => [new McpMount(manager, { onFault: () => {}, onRefusal: () => {} })],
    });
    try {
      const ask = (...args: readonly string[]) => inspect(`${server.url}/mcp`, '--protocol-era', era, ...args);
      const key = ['--header', `X-API-Key: ${KEY}`];
      const { code, result } = await ask('--method', 'tools/list', ...key);
      expect({ code, result }).toMatchObject({ code: 0, result: { tools: [{ name: 'terminal' }] } });
      const execArgs = ['--method', 'tools/call', '--tool-name', 'terminal', '--tool-arg', 'command=echo by key'];
      expect((await ask(...execArgs, ...key)).result).toMatchObject({ content: [{}, { text: 'by key' }] });
      expect(await ask('--method', 'tools/list', '--stored-auth-only')).not.toMatchObject({ code: 0 });
    } finally {
      await server.stop();
    }
  });
});
