/** Tests the page in a real browser: signing in, seeing a terminal, typing into it, downloads, and pages that attack. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createKey } from '../../src/access/key-file.js';
import { createCode } from '../../src/access/sign-in-codes.js';
import { signInLink } from '../../src/cli/sign-in-link.js';
import { eventually } from '../eventually.js';
import { startServer, stopServers, type ServerUnderTest } from '../http/server-under-test.js';
import { launch, person, type Browser, type Person } from './browser.js';

/** A browser starts and draws without a graphics card, while other tests use the cores. */
const TIMEOUT_MS = 90_000;

let browser: Browser;
let server: ServerUnderTest;
let ada: Person;
const others: Server[] = [];
beforeAll(async () => (browser = await launch()), TIMEOUT_MS);
afterAll(() => browser.close());
beforeEach(async () => {
  server = await startServer({ engine: { defaultShell: '/bin/bash' } });
  ada = await person(browser);
});
afterEach(async () => {
  await ada.context.close();
  for (const other of others.splice(0)) {
    other.closeAllConnections();
    other.close();
  }
  await stopServers();
});

const newLink = () => signInLink(server.url, createCode(server.dataDir, 60_000));
const heading = (name: string) => ada.page.getByRole('heading', { name });

async function signIn(): Promise<void> {
  await ada.page.goto(newLink());
  await ada.page.getByRole('button', { name: 'Sign out' }).waitFor();
}

describe('signing in', () => {
  it(
    'happens with the link alone, and takes the code out of the address',
    async () => {
      await signIn();
      expect(ada.page.url()).toBe(`${server.url}/`);
      const [cookie] = await ada.context.cookies();
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
      expect(await ada.page.evaluate('document.cookie')).toBe('');
      await ada.page.reload();
      await ada.page.getByRole('button', { name: 'Sign out' }).waitFor();
      expect(ada.problems).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'asks the server nothing before it',
    async () => {
      await ada.page.goto(server.url);
      await heading('Sign in').waitFor();
      expect(ada.problems).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'takes an API key instead',
    async () => {
      const { key } = createKey(server.dataDir, 'laptop');
      await ada.page.goto(server.url);
      await ada.page.getByRole('link', { name: /Use an API key/ }).click();
      await ada.page.locator('input').fill(key);
      await ada.page.getByRole('button', { name: 'Sign in' }).click();
      await ada.page.locator('body', { hasText: 'laptop' }).waitFor();
      const kept = await ada.page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
      expect([kept.includes(key), ada.problems]).toEqual([false, []]);
    },
    TIMEOUT_MS,
  );

  it(
    'says what is wrong with a code that was used, and takes another',
    async () => {
      const link = newLink();
      await ada.page.goto(link);
      await ada.page.getByRole('button', { name: 'Sign out' }).click();
      await heading('Sign in').waitFor();
      await ada.page.goto('about:blank');
      await ada.page.goto(link);
      await ada.page.locator('p', { hasText: 'That code is no longer valid.' }).waitFor();
      await ada.page.locator('input').fill(createCode(server.dataDir, 60_000));
      await ada.page.getByRole('button', { name: 'Sign in' }).click();
      await ada.page.getByRole('button', { name: 'Sign out' }).waitFor();
    },
    TIMEOUT_MS,
  );
});

describe('a terminal', () => {
  let id: string;
  beforeEach(async () => {
    id = await server.api.create({ name: 'build' });
    await server.manager.exec(id, { command: 'echo from-$((20+1))' });
    await signIn();
  }, TIMEOUT_MS);

  it(
    'is shown at home, opened, typed into, and shows the echo; the page keeps to its policy',
    async () => {
      await ada.page.locator('a.tile', { hasText: 'from-21' }).click();
      await ada.page.getByRole('button', { name: /Take over/ }).click();
      await ada.page.locator('body', { hasText: 'You hold it' }).waitFor();
      const isFocused = `document.activeElement?.classList.contains('xterm-helper-textarea') === true`;
      await eventually(() => ada.page.evaluate<boolean>(isFocused));
      await ada.page.keyboard.type('echo typed-$((40+2))\n');
      await server.api.readUntil(id, 'typed-42');
      await ada.page.keyboard.type('cat -v\n');
      await ada.page.evaluate(`{
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'pasted\\x1b[201~ whole\\n');
        const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        document.querySelector('.xterm-helper-textarea').dispatchEvent(paste);
      }`);
      await server.api.readUntil(id, 'pasted[201~ whole');
      await ada.page.keyboard.press('Control+c');
      await ada.page.locator('.timeline, aside, section', { hasText: 'echo typed-' }).first().waitFor();
      await ada.page.getByRole('button', { name: 'Hand back' }).click();
      await eventually(async () => (await server.manager.get(id)).holder === null);
      expect(ada.problems).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'is downloaded as a file, by a form',
    async () => {
      await ada.page.locator('a.tile').first().click();
      await ada.page.getByRole('button', { name: /^More/ }).click();
      const [download] = await Promise.all([
        ada.page.waitForEvent('download'),
        ada.page.locator('[role=menuitem]', { hasText: /text/i }).first().click(),
      ]);
      expect(download.suggestedFilename()).toBe('build.txt');
      expect(readFileSync(await download.path(), 'utf8')).toContain('\nfrom-21\n');
      expect(ada.problems).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'ends to be shown within a second of the end of its sign-in',
    async () => {
      await ada.page.locator('a.tile').first().waitFor();
      const { data } = (await server.api.get('/api/sign-ins')).body as { data: { signIns: { id: string }[] } };
      await server.api.delete(`/api/sign-ins/${data.signIns[0]!.id}`);
      await heading('Sign in').waitFor();
    },
    TIMEOUT_MS,
  );
});

describe('a page on another port of this machine', () => {
  async function elsewhere(html: string): Promise<{ url: string; cookies: string[] }> {
    const cookies: string[] = [];
    const other = createServer((request, response) => {
      cookies.push(request.headers.cookie ?? '');
      response.setHeader('Content-Type', 'text/html').end(html);
    });
    others.push(other);
    await once(other.listen(0, '127.0.0.1'), 'listening');
    return { url: `http://127.0.0.1:${(other.address() as AddressInfo).port}/`, cookies };
  }

  it(
    'receives the cookie, and gets nothing with it',
    async () => {
      const id = await server.api.create({ command: 'cat' });
      await signIn();
      const { url, cookies } = await elsewhere('<!doctype html><title>other</title>');
      await ada.page.goto(url);
      expect(cookies[0]).toContain(`tenacitty-${server.port}=`);
      const tried = await ada.page.evaluate<unknown[]>(`(async () => {
      const base = ${JSON.stringify(server.url)};
      const outcome = (promise) => promise.then((answer) => answer.status, (error) => error.name);
      const read = outcome(fetch(base + '/api/terminals', { credentials: 'include' }));
      const send = outcome(fetch(base + '/api/terminals', { method: 'POST', credentials: 'include', body: '{}' }));
      const live = new Promise((resolve) => {
        const socket = new WebSocket(base.replace('http', 'ws') + '/api/terminals/${id}/live', 'tenacitty.v1');
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('refused');
      });
      return Promise.all([read, send, live]);
    })()`);
      expect(tried).toEqual(['TypeError', 'TypeError', 'refused']);
      const count = (await server.manager.list()).length;
      // What the other server can do with the cookie that it received.
      for (const headers of [{ Cookie: cookies[0]! }, { Cookie: cookies[0]!, Origin: server.url }])
        expect((await fetch(`${server.url}/api/terminals`, { method: 'POST', headers })).status).toBe(401);
      expect((await server.manager.list()).length).toBe(count);
    },
    TIMEOUT_MS,
  );

  it(
    'cannot show the page in a frame, nor use up a link there',
    async () => {
      await signIn();
      const link = newLink();
      const { url } = await elsewhere(`<!doctype html><iframe src="${link}"></iframe>`);
      await ada.page.goto(url);
      await eventually(() => ada.problems.some((problem) => problem.includes('frame-ancestors')));
      const other = await person(browser);
      await other.page.goto(link);
      await other.page.getByRole('button', { name: 'Sign out' }).waitFor();
      await other.context.close();
    },
    TIMEOUT_MS,
  );
});
