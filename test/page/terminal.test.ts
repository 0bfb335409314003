/**
 * Tests a terminal of the page in a real browser: history above the screen, commands next to their lines, scrolling
 * back, keys while watching, a lost hold and a lost connection, and the timeline.
 */
import { createCode } from '../../src/access/sign-in-codes.js';
import { signInLink } from '../../src/cli/sign-in-link.js';
import { startServer, stopServers, type ServerUnderTest } from '../http/server-under-test.js';
import { launch, person, VIEWPORT, type Browser, type Page, type Person } from './browser.js';

/** A browser starts and draws without a graphics card, while other tests use the cores. */
const TIMEOUT_MS = 90_000;

/** While `isCut`, new WebSockets lead nowhere. Copied text is kept, because a browser under test has no clipboard. */
const PREPARED = `
  const Real = WebSocket;
  window.sockets = [];
  window.WebSocket = class extends Real {
    constructor(url, protocols) {
      super(window.isCut ? url.replace('/live?', '/nowhere?') : url, protocols);
      window.sockets.push(this);
    }
  };
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } });
`;

let browser: Browser;
let server: ServerUnderTest;
let ada: Person;
let page: Page;
beforeAll(async () => {
  browser = await launch();
  server = await startServer({ engine: { defaultShell: '/bin/bash' } });
  ada = await person(browser);
  ({ page } = ada);
  await page.addInitScript(PREPARED);
  await page.goto(signInLink(server.url, createCode(server.dataDir, 60_000)));
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}, TIMEOUT_MS);
afterAll(async () => {
  await browser.close();
  await stopServers();
});
afterEach(async () => {
  ada.problems.length = 0;
  await page.setViewportSize(VIEWPORT);
});

const status = (text: string | RegExp) => page.locator('.tstat', { hasText: text }).waitFor();
const button = (name: string | RegExp) => page.getByRole('button', { name });

async function open(id: string): Promise<void> {
  await page.goto(`${server.url}/terminals/${id}`);
  await page.locator('.xterm-screen').waitFor();
}

/** Opens a shell that has printed 100 numbers. */
async function openShell(): Promise<string> {
  const id = await server.api.create({ cols: 80, rows: 24 });
  await server.manager.exec(id, { command: 'echo first' });
  await server.manager.exec(id, { command: 'seq 100' });
  await open(id);
  await page.locator('.cmdi', { hasText: 'seq 100' }).waitFor();
  return id;
}

it(
  'shows the history above the screen, and commands next to the lines that they were typed in',
  async () => {
    const id = await openShell();
    await page.locator('.above > span', { hasText: /^7\d$/ }).first().waitFor();
    const above = (await page.locator('.above > span').allInnerTexts()).map(Number);
    const { lines } = await server.manager.screen(id, 'text');
    expect(above).toEqual(above.map((_, index) => Number(lines[0]) - above.length + index));
    await page.locator('.stick', { hasText: 'seq 100' }).waitFor();
    await page.locator('.cmdi', { hasText: 'echo first' }).click();
    await button(/^Jump/).click();
    await page.locator('.gutter > button[title^="echo first"]').waitFor();
    await page.locator('.gutter > button[title^="seq 100"]').click();
    await page.locator('.cmdi[aria-current]', { hasText: 'seq 100' }).waitFor();
    expect(ada.problems).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  'shows the history above a screen that a program keeps redrawing',
  async () => {
    const id = await server.api.create({ cols: 80, rows: 24 });
    await server.manager.exec(id, { command: 'seq 100' });
    const command = 'while sleep 0.001; do printf "\\rat work %s" "$((i++))"; done';
    await server.manager.exec(id, { command, detach: true });
    await open(id);
    await page.locator('.above > span', { hasText: /^7\d$/ }).first().waitFor();
    await page.locator('.gutter > button[title^="while sleep"]').waitFor();
  },
  TIMEOUT_MS,
);

it(
  'says how far it is scrolled back, and returns to the end',
  async () => {
    const id = await openShell();
    await page.locator('.stick', { hasText: 'seq 100' }).waitFor();
    await button(/To its start/).click();
    await status(/Scrolled back\. The terminal goes on: \d+ lines below\./);
    await server.manager.exec(id, { command: 'echo more' });
    await status(/\d+ lines below, 2 of them new\./);
    await button(/To the end/).click();
    await status('Watching.');
    await page.locator('.gutter > button[title^="echo more"]').waitFor();
  },
  TIMEOUT_MS,
);

it(
  'is scrolled by as many rows as requested when its text is small, and keeps rows that are erased',
  async () => {
    const id = await server.api.create({ cols: 120, rows: 30 });
    await server.manager.exec(id, { command: 'seq 200' });
    await open(id);
    await page.locator('.xterm-screen').click();
    await page.keyboard.press('Home');
    await page.locator('.gutter > button[title^="seq 200"]').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('PageUp');
    await status(/: 29 lines below\./);
    await page.keyboard.press('End');
    await status('Watching.');
    await server.manager.write(id, { keys: ['ctrl-l'] });
    await page.locator('.above > span', { hasText: '200' }).waitFor();
  },
  TIMEOUT_MS,
);

it(
  'types nothing while it is watched, and says how to',
  async () => {
    const id = await openShell();
    const { inputCount } = await server.manager.get(id);
    await page.locator('.xterm-screen').click();
    await page.keyboard.press('x');
    await status(/^Press t to take over\./);
    await server.manager.control(id, { action: 'take', name: 'claude', holdMs: 60_000 });
    await page.locator('.presence', { hasText: 'claude holds it' }).waitFor();
    await page.keyboard.press('x');
    await status('claude holds it. Press t to take over.');
    await page.keyboard.press('t');
    await status(/All keys go to the terminal\..*told: held by .* since \d\d:\d\d:\d\d/);
    expect((await server.manager.get(id)).inputCount).toBe(inputCount);
    await server.manager.control(id, { action: 'take', name: 'jonas', holdMs: 60_000 });
    await page.locator('.banner', { hasText: 'jonas has taken over.' }).waitFor();
    await button('Close this message').click();
    await page.locator('.banner').waitFor({ state: 'hidden' });
  },
  TIMEOUT_MS,
);

it(
  'counts down to the next attempt to connect, and makes it on request',
  async () => {
    const id = await openShell();
    await page.evaluate(`window.isCut = true; window.sockets.forEach((socket) => socket.close(3000))`);
    await page
      // Long enough that the page does not try again by itself first.
      .locator('.banner', { hasText: /Trying again in (?:[3-9]|10) s, from byte [\d,]+: nothing will be missing/ })
      .waitFor();
    await status(/^As of \d\d:\d\d:\d\d/);
    const attempts = await page.evaluate<number>(`(() => {
      window.isCut = false;
      const before = window.sockets.length;
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Try now').click();
      return window.sockets.length - before;
    })()`);
    expect(attempts).toBe(1);
    await page.locator('.banner').waitFor({ state: 'hidden' });
    await server.manager.exec(id, { command: 'echo again' });
    await page.locator('.gutter > button[title^="echo again"]').waitFor();
  },
  TIMEOUT_MS,
);

describe('the timeline', () => {
  it(
    'has room for its actions, and the rarer ones in a menu',
    async () => {
      const id = await openShell();
      const overflow = `(() => { const { scrollWidth, clientWidth } = document.querySelector('.acts');
        return scrollWidth - clientWidth; })()`;
      expect(await page.evaluate<number>(overflow)).toBe(0);
      expect(await page.evaluate<number>(`document.querySelector('.acts').clientHeight`)).toBeLessThan(30);
      await button('Other actions for this command').click();
      await page.getByRole('menuitem', { name: 'Copy as MCP call' }).click();
      const copied = JSON.parse(await page.evaluate<string>('window.copied')) as unknown;
      expect(copied).toEqual({ action: 'EXEC', id, command: 'seq 100' });
      await page.locator('[role=menuitem]', { hasText: 'Copy as MCP call' }).waitFor({ state: 'hidden' });
    },
    TIMEOUT_MS,
  );

  it(
    'is a drawer in a narrow window',
    async () => {
      await openShell();
      const timeline = page.locator('.timeline');
      await page.setViewportSize({ width: 1000, height: 700 });
      await timeline.waitFor({ state: 'hidden' });
      await button(/^Commands 2$/).click();
      await timeline.waitFor();
      await page.keyboard.press('Escape');
      await timeline.waitFor({ state: 'hidden' });
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Commands 2');
    },
    TIMEOUT_MS,
  );

  it(
    'says that the commands of a program are not known',
    async () => {
      await open(await server.api.create({ command: 'cat' }));
      await page.locator('.timeline', { hasText: 'no shell is followed here' }).waitFor();
      expect(ada.problems).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
