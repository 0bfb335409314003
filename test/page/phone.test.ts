/** Tests the page on a phone in a real browser: answers, lines that are wrapped, the field, the keys, the screen. */
import { createCode } from '../../src/access/sign-in-codes.js';
import { signInLink } from '../../src/cli/sign-in-link.js';
import { eventually } from '../eventually.js';
import { startServer, stopServers, type ServerUnderTest } from '../http/server-under-test.js';
import { launch, person, PHONE, type Browser, type Page, type Person } from './browser.js';

/** A browser starts and draws without a graphics card, while other tests use the cores. */
const TIMEOUT_MS = 90_000;
const COLS = 120;
/** Least height and width of what is touched. */
const TOUCH_PX = 44;

let browser: Browser;
let server: ServerUnderTest;
let ada: Person;
let page: Page;
beforeAll(async () => {
  browser = await launch();
  server = await startServer({ engine: { defaultShell: '/bin/bash' } });
  ada = await person(browser, PHONE);
  ({ page } = ada);
  await page.goto(signInLink(server.url, createCode(server.dataDir, 60_000)));
  await page.getByRole('button', { name: 'Menu' }).waitFor();
}, TIMEOUT_MS);
afterAll(async () => {
  await browser.close();
  await stopServers();
});
afterEach(() => expect(ada.problems.splice(0)).toEqual([]));

const test = (title: string, run: () => Promise<void>) => it(title, run, TIMEOUT_MS);
const field = () => page.locator('[data-type]');
const key = (name: string) => page.locator('.keybar button', { hasText: new RegExp(`^${name.replace('^', '\\^')}$`) });
const pointer = (label: string, type: string) =>
  page.evaluate(`document.querySelector('.keybar [aria-label="${label}"]')
    .dispatchEvent(new PointerEvent('${type}', { bubbles: true, cancelable: true }))`);
const isFieldFocused = () => page.evaluate<boolean>(`document.activeElement.matches('[data-type]')`);
/** Elements that are wider than the window, but those that scroll on purpose. */
const overflow = () =>
  page.evaluate<number>(`(() => {
    const page = document.scrollingElement;
    const places = [...document.querySelectorAll('main, .fleet, .stage, .last-lines, .dialog')];
    return [page, ...places].filter((each) => each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().right > innerWidth + 1).length;
  })()`);
const isAtEnd = `(() => {
  const { scrollTop, clientHeight, scrollHeight } = document.querySelector('.last-lines');
  return scrollTop > 0 && scrollTop + clientHeight > scrollHeight - 2;
})()`;
const tooSmall = (selector: string) =>
  page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})]
    .filter((each) => each.offsetParent !== null && each.offsetHeight < ${TOUCH_PX})
    .map((each) => each.outerHTML)`);

async function openTerminal(id: string): Promise<void> {
  await page.goto(`${server.url}/terminals/${id}`);
  await page.locator('.ptabs').waitFor();
}

async function takeOver(): Promise<void> {
  await page.getByRole('button', { name: 'Take over' }).tap();
  await eventually(isFieldFocused);
}

test('what needs an answer comes first, and is answered with two taps', async () => {
  const id = await server.api.create({ labels: { name: 'deploy' } });
  void server.manager.exec(id, { command: `sh -c 'printf "Delete all? (y/N) "; read it; echo got-$it'` });
  await page.locator('.need').waitFor();
  expect(await tooSmall('.need .btn, .need .field, .prow, .bar .btn')).toEqual([]);
  expect(await overflow()).toBe(0);
  await page.locator('.need button', { hasText: 'y' }).tap();
  await page.locator('.need button', { hasText: 'Send' }).tap();
  await server.api.readUntil(id, 'got-y');
  await page.locator('.need').waitFor({ state: 'hidden' });
  await server.api.delete(`/api/terminals/${id}`);
});

test('the menu has what the top bar lacks', async () => {
  await page.getByRole('button', { name: 'Menu' }).tap();
  expect(await tooSmall('.menu button')).toEqual([]);
  await page.getByRole('menuitem', { name: 'Keys' }).tap();
  await page.locator('dialog', { hasText: 'single-key' }).waitFor();
  expect(await overflow()).toBe(0);
  await page.getByRole('button', { name: 'Close' }).tap();
  await page.getByRole('button', { name: 'Menu' }).tap();
  await page.getByRole('menuitem', { name: 'Sign-ins' }).tap();
  await eventually(() => page.url() === `${server.url}/access`);
});

test('lines are wrapped, and what is typed is sent with Enter, at the size that the terminal has', async () => {
  const id = await server.api.create({ cols: COLS, rows: 30 });
  await server.manager.exec(id, { command: `printf 'a%.0s' {1..150}; echo; seq 60` });
  await openTerminal(id);
  await page.locator('.last-lines span[data-line]', { hasText: /^a{150}$/ }).waitFor();
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await overflow()).toBe(0);
  }
  await takeOver();
  await eventually(() => page.evaluate<boolean>(isAtEnd));
  await page.keyboard.type('echo typed-$((40+2))');
  expect(await field().inputValue()).toBe('echo typed-$((40+2))');
  await page.keyboard.press('Enter');
  await page.locator('.last-lines', { hasText: 'typed-42' }).waitFor();
  expect([(await server.manager.get(id)).cols, await field().inputValue()]).toEqual([COLS, '']);
  expect(await tooSmall('.keybar button, .typebar .btn, .typebar .field, .ptabs a')).toEqual([]);
});

test('the keys go to the program, after the text in the field, and leave the focus there', async () => {
  const id = await server.api.create();
  await openTerminal(id);
  await takeOver();
  await page.keyboard.type('cat -v');
  await page.keyboard.press('Enter');
  await page.keyboard.type('ab');
  for (const name of ['↑', 'Esc']) await key(name).tap();
  await page.keyboard.press('Enter');
  await server.api.readUntil(id, 'ab^[[A^[');
  // A key that is held down repeats, and one that a swipe begins on sends nothing.
  await pointer('Right', 'pointerdown');
  await pointer('Right', 'pointercancel');
  await pointer('Left', 'pointerdown');
  const seen = await server.api.readUntil(id, '^[[D^[[D^[[D');
  await pointer('Left', 'pointerup');
  expect(seen).not.toContain('^[[C');
  await page.keyboard.press('Control+Shift+Space');
  expect(await isFieldFocused()).toBe(false);
  await page.keyboard.press('Escape');
  expect(await isFieldFocused()).toBe(true);
  await key('Ctrl').tap();
  expect(await isFieldFocused()).toBe(true);
  // Ctrl is held for one key, so the second letter stays in the field.
  await page.keyboard.type('ce');
  expect(await field().inputValue()).toBe('e');
  await page.keyboard.type('cho after-$((1+1))');
  await page.keyboard.press('Enter');
  await server.api.readUntil(id, 'after-2');
});

test('a full-screen program is shown as a screen, and each key goes to it at once', async () => {
  const id = await server.api.create({ cols: COLS, rows: 24 });
  await openTerminal(id);
  await takeOver();
  await page.keyboard.type(`printf '\\e[?1049h\\e[?1h'; cat -v; printf '\\e[?1049l'`);
  await page.keyboard.press('Enter');
  await page.locator('.shows-screen').waitFor();
  await page.locator('.typebar input[placeholder^="Each key"]').waitFor();
  const shows = (text: string) => async () => (await server.manager.screen(id)).lines.join('\n').includes(text);
  await page.keyboard.type('xy');
  await eventually(shows('xy'));
  await page.keyboard.press('Backspace');
  await key('↑').tap();
  // The arrows are those of a program that has changed them.
  await eventually(shows('x^[OA'));
  const isScrollable = `(() => { const { scrollWidth, clientWidth } = document.querySelector('.screen:not(.last-lines)'); return scrollWidth > clientWidth; })()`;
  await eventually(() => page.evaluate<boolean>(isScrollable));
  // After the second tap, Ctrl is held until the third: the first Ctrl-D ends the line, the second one the input.
  for (let taps = 0; taps < 2; taps++) await key('Ctrl').tap();
  await page.keyboard.type('dd');
  await page.locator('.shows-lines').waitFor();
});

test('commands are a list, and the history is a tab', async () => {
  const id = await server.api.create();
  await server.manager.exec(id, { command: 'echo once' });
  await openTerminal(id);
  await page.getByRole('link', { name: /^Commands/ }).tap();
  await page.locator('.timeline .cmdi', { hasText: 'echo once' }).waitFor();
  expect(await overflow()).toBe(0);
  await page.getByRole('link', { name: 'History' }).tap();
  await page.locator('.fold').first().waitFor();
  await page.getByRole('link', { name: 'Lines' }).tap();
  await page.locator('.last-lines', { hasText: 'once' }).waitFor();
});
