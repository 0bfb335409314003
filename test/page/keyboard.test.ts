/** Tests the page with the keyboard alone, in a real browser. */
import { createCode } from '../../src/access/sign-in-codes.js';
import { signInLink } from '../../src/cli/sign-in-link.js';
import { eventually } from '../eventually.js';
import { startServer, stopServers, type ServerUnderTest } from '../http/server-under-test.js';
import { launch, person, type Browser, type Page, type Person } from './browser.js';

/** A browser starts and draws without a graphics card, while other tests use the cores. */
const TIMEOUT_MS = 90_000;

let browser: Browser;
let server: ServerUnderTest;
let ada: Person;
let page: Page;
let id: string;
beforeAll(async () => {
  browser = await launch();
  server = await startServer({ engine: { defaultShell: '/bin/bash' } });
  for (const name of ['alpha', 'beta']) id = await server.api.create({ labels: { name } });
  ada = await person(browser);
  ({ page } = ada);
  await page.goto(signInLink(server.url, createCode(server.dataDir, 60_000)));
  await page.locator('a.tile', { hasText: 'beta' }).waitFor();
}, TIMEOUT_MS);
afterAll(async () => {
  await browser.close();
  await stopServers();
});
afterEach(() => expect(ada.problems.splice(0)).toEqual([]));

const test = (title: string, run: () => Promise<void>) => it(title, run, TIMEOUT_MS);
const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const isFocused = (selector: string) => () =>
  page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`);
const focused = (selector: string) =>
  eventually(isFocused(selector), {
    missing: async () =>
      `the focus on ${selector}: ${await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 200)')}`,
  });

test('the first Tab reaches a link to the terminals, which are gone through with j and k, and shown in rows by v', async () => {
  await page.evaluate('document.activeElement.blur()');
  await press('Tab');
  await focused('.skip');
  await press('Enter');
  await focused('#main');
  await press('j');
  await focused('a.tile[aria-label^=alpha]');
  await press('j', 'ArrowRight');
  await focused('a.tile[aria-label^=beta]');
  await press('k');
  await focused('a.tile[aria-label^=alpha]');
  await press('v');
  await page.locator('.rows-live').waitFor();
  await press('v');
  await page.locator('.tiles a.tile').first().waitFor();
});

test('Escape clears the filters', async () => {
  await page.goto(`${server.url}/?state=failed`);
  await page.getByRole('link', { name: 'Show all 2' }).waitFor();
  await press('Escape');
  await page.locator('a.tile', { hasText: 'beta' }).waitFor();
  expect(page.url()).toBe(`${server.url}/`);
});

test('dialogs and menus keep the focus and return it', async () => {
  await page.locator('a.tile', { hasText: 'beta' }).focus();
  await press('?');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await focused('dialog *');
  await press('Escape');
  await focused('a.tile[aria-label^=beta]');
  await press('Enter');
  await page.getByRole('button', { name: 'More' }).focus();
  await press('Enter');
  await focused('[role=menuitem]');
  await press('ArrowUp', 'ArrowDown', 'End', 'Enter');
  await focused('dialog *');
  await press('Escape');
  await focused('[aria-label=More]');
  await press('Enter');
  await focused('[role=menuitem]');
  await press('Escape');
  await focused('[aria-label=More]');
});

test('a terminal is taken over, left, entered again and handed back, and each is announced', async () => {
  await page.goto(`${server.url}/terminals/${id}`);
  await page.getByRole('button', { name: /Take over/ }).waitFor();
  // Until the connection is open, it cannot be taken over.
  await eventually(() => page.evaluate<boolean>(`document.querySelector('.xterm') !== null`));
  await page.locator('#main').focus();
  await press('t');
  await focused('.xterm-helper-textarea');
  await page.locator('[role=status] .vh', { hasText: 'You hold beta' }).waitFor();
  await page.keyboard.type('echo typed-$((40+2))\n');
  await server.api.readUntil(id, 'typed-42');
  await press('Control+Shift+Space');
  await focused('#main');
  await press('Escape');
  await focused('.xterm-helper-textarea');
  await press('Control+Shift+Space', 'h');
  await eventually(async () => (await server.manager.get(id)).holder === null);
  await page.locator('[role=status] .vh', { hasText: 'You no longer hold beta' }).waitFor();
});

test('a command that fails is announced', async () => {
  await server.manager.exec(id, { command: 'sh -c "exit 3"' });
  await page.locator('[role=status] .vh', { hasText: 'sh -c "exit 3" failed with exit code 3' }).waitFor();
});
