/**
 * Runs the module of the example page against a real server, in Node instead of a browser, and fetches every file that
 * the page loads.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createKey } from '../../src/access/key-file.js';
import { TenacittyClient, type OverviewTerminal } from '../../src/client/index.js';
import { eventually } from '../eventually.js';
import { startServer, type ServerUnderTest } from '../http/server-under-test.js';

const PAGE = join(import.meta.dirname, '..', '..', 'examples', 'page');
type FollowTerminals = (
  client: TenacittyClient,
  show: (terminals: OverviewTerminal[]) => void,
  signal: AbortSignal,
) => Promise<void>;

let server: ServerUnderTest;
beforeAll(async () => void (server = await startServer()));
afterAll(() => server.stop());

it('shows all terminals, what they wait for, and their end', async () => {
  const { followTerminals } = (await import(join(PAGE, 'terminals.mjs'))) as { followTerminals: FollowTerminals };
  const client = new TenacittyClient({ url: server.url, key: createKey(server.dataDir, 'page').key });
  const leaving = new AbortController();
  let shown: OverviewTerminal[] = [];
  const before = await server.api.run('exec cat');
  const following = followTerminals(client, (terminals) => (shown = terminals), leaving.signal);
  await eventually(() => shown.some(({ id }) => id === before));
  const asking = await server.api.run('read -p "Your name? " name');
  const { waiting } = await eventually(() => shown.find(({ id, waiting }) => id === asking && waiting !== null));
  await client.answer(asking, { waiting: waiting!.id, text: 'Ada' });
  await eventually(() => shown.find(({ id, status }) => id === asking && status === 'exited'));
  await client.remove(before);
  await eventually(() => shown.every(({ id }) => id !== before));
  leaving.abort();
  await following;
});

it('is served with every module that it loads', async () => {
  const child = spawn(process.execPath, [join(PAGE, 'serve.mjs')], { env: { ...process.env, PORT: '0' } });
  try {
    const url = String((await once(child.stdout, 'data'))[0]).trim();
    const load = async (path: string): Promise<string> => {
      const answer = await fetch(new URL(path, url));
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        path === '/' ? 'text/html' : 'text/javascript',
      ]);
      return answer.text();
    };
    const page = await load('/');
    expect(page).toContain(`from '/terminals.mjs'`);
    const left = ['/terminals.mjs', '/client/index.js'];
    for (const path of left) {
      const text = await load(path);
      for (const [, name] of text.matchAll(/from '\.\/([\w-]+\.js)'/g)) {
        if (!left.includes(`/client/${name}`)) left.push(`/client/${name}`);
      }
      expect(text).not.toMatch(/from '(node:|\.\.\/)/);
    }
    expect((await fetch(new URL('/../../package.json', url))).status).toBe(404);
  } finally {
    child.kill();
    await once(child, 'close');
  }
});
