/** Tests the history in a real browser: following, finding, selecting, folding, and a million lines. */
import { createCode } from '../../src/access/sign-in-codes.js';
import { signInLink } from '../../src/cli/sign-in-link.js';
import { eventually } from '../eventually.js';
import { startServer, stopServers, type ServerUnderTest } from '../http/server-under-test.js';
import { launch, person, type Browser, type Person } from './browser.js';

/** A browser starts and draws without a graphics card, while other tests use the cores. */
const TIMEOUT_MS = 90_000;
const WITHIN = { within: 30_000 };
const STILL_MUTABLE = 'These lines are still on the screen and may change.';

let browser: Browser;
let server: ServerUnderTest;
let ada: Person;
beforeAll(async () => {
  browser = await launch();
  const defaults = { defaultShell: '/bin/bash', historyPlace: 'memory' } as const;
  server = await startServer({ engine: { ...defaults, maxBufferLines: 2_000_000, maxBufferBytes: 256 << 20 } });
  ada = await person(browser);
  await ada.page.goto(signInLink(server.url, createCode(server.dataDir, 60_000)));
  await ada.page.getByRole('button', { name: 'Sign out' }).waitFor();
}, TIMEOUT_MS);
afterAll(async () => {
  await browser.close();
  await stopServers();
});
afterEach(() => expect(ada.problems.splice(0)).toEqual([]));

const text = (words: string | RegExp) => ada.page.locator('.ln', { hasText: words }).first();
const button = (name: string | RegExp) => ada.page.getByRole('button', { name });
const evaluate = <Result>(script: string) => ada.page.evaluate<Result>(script);
/** The numbers of the lines that are rendered within the view. */
const LINES_IN_VIEW = `[...document.querySelectorAll('.reader .ln')].filter((row) => {
  const view = document.querySelector('[data-scroll]').getBoundingClientRect();
  const { top, bottom } = row.getBoundingClientRect();
  return bottom > view.top + 32 && top < view.bottom;
}).map((row) => Number(row.id.slice(1)))`;
const linesInView = () => evaluate<number[]>(LINES_IN_VIEW);
const isInView = async (line: number) => (await linesInView()).includes(line);
const click = (selector: string, options = '') =>
  evaluate(`document.querySelector('${selector}').dispatchEvent(
    new MouseEvent('click', { bubbles: true, cancelable: true, ${options} }))`);

async function open(id: string, hash = ''): Promise<void> {
  await ada.page.goto(`${server.url}/terminals/${id}/history${hash}`);
  await ada.page.locator('[data-scroll]').waitFor();
}

async function printed(script: string): Promise<string> {
  const id = await server.api.run(script);
  await server.api.ended(id);
  return id;
}

it(
  'follows new output and commands, and says which lines may still change',
  async () => {
    const id = await server.api.create({ name: 'follow' });
    await server.manager.exec(id, { command: 'echo first-$((1+1))' });
    await open(id);
    await ada.page.locator('.fold-head', { hasText: 'echo first' }).waitFor();
    await server.manager.exec(id, { command: 'echo failed-$((1+2)); false' });
    await text(/^\d+failed-3/).waitFor();
    await ada.page.locator('.fold-head', { hasText: 'exit 1' }).waitFor();
    await ada.page.locator('.gap', { hasText: STILL_MUTABLE }).first().waitFor();
    // It is at the end, and stays there.
    const running = server.manager.exec(id, { command: 'seq 300; echo the-$((1+1))-end; false' });
    await text(/^\d+the-2-end/).waitFor();
    await running;
    const end = (await server.manager.stats(id)).newestLine;
    await eventually(() => isInView(end), WITHIN);
  },
  TIMEOUT_MS,
);

it(
  'finds lines with true counts, and goes from match to match',
  async () => {
    await open(await printed('seq 1000; echo Word; echo word'));
    const found = ada.page.locator('.find [role=status]');
    const says = (words: string) => eventually(async () => (await found.innerText()) === words, WITHIN);
    await ada.page.locator('[data-find]').fill('word');
    await ada.page.locator('[data-find]').press('Enter');
    await says('1 of 2');
    await eventually(() => isInView(1000), WITHIN);
    await button('Match case').click();
    await says('1 of 1');
    await ada.page.locator('[data-find]').fill('^9.$');
    await ada.page.locator('[data-find]').press('Enter');
    await says('0');
    await button('Regular expression').click();
    await says('1 of 10');
    await eventually(() => isInView(89), WITHIN);
    await evaluate(`document.activeElement.blur()`);
    await ada.page.keyboard.press('n');
    await says('2 of 10');
    await ada.page.keyboard.press('Shift+N');
    await ada.page.keyboard.press('Shift+N');
    await says('10 of 10');
    await eventually(() => evaluate<boolean>(`document.querySelector('#L98 mark.now') !== null`), WITHIN);
    await ada.page.locator('[data-find]').fill('(');
    await ada.page.locator('[data-find]').press('Enter');
    await ada.page.locator('.banner', { hasText: /expression|regex/i }).waitFor();
    expect(ada.problems.splice(0).every((problem) => problem.includes('400'))).toBe(true);
  },
  TIMEOUT_MS,
);

it(
  'selects lines, which the address then names, and opens at the lines of an address',
  async () => {
    const id = await server.api.create({ env: { PS1: '' } });
    const { commandId } = await server.manager.exec(id, { command: 'seq 3000' });
    const { fromLine } = await server.manager.command(id, commandId);
    const [first, last] = [fromLine + 1500, fromLine + 1504];
    await open(id, `#L${first}`);
    await eventually(() => isInView(first), WITHIN);
    await eventually(async () => (await linesInView())[0]! < first - 4, WITHIN);
    await click(`#L${last} > a`, 'shiftKey: true');
    await ada.page.locator('.pick', { hasText: 'Lines 1,5' }).waitFor();
    expect(ada.page.url().split('#')[1]).toBe(`L${first}-L${last}`);
    expect(await evaluate(`document.querySelectorAll('.ln.is-in').length`)).toBe(5);
    for (const hasText of ['Copy link', 'Copy text', 'Copy as curl'])
      expect(await ada.page.locator('.pick button', { hasText }).count()).toBe(1);
  },
  TIMEOUT_MS,
);

it(
  'shows a million lines, of which only those near the view are rendered',
  async () => {
    await open(await printed('seq 1000000'));
    await ada.page.locator('.gap', { hasText: '999,920 lines folded away' }).waitFor();
    await button(/^All$/).click();
    await ada.page.locator('.goto input').fill('500,000');
    await ada.page.locator('.goto input').press('Enter');
    await text(/^500,000500001$/).waitFor();
    await eventually(() => isInView(500_000), WITHIN);
    const rendered = await evaluate<number>(`document.querySelectorAll('.reader .ln').length`);
    expect(rendered).toBeLessThan(500);
    expect(await evaluate<number>(`document.querySelector('[data-scroll]').scrollHeight`)).toBeLessThan(10_000_000);
    await ada.page.locator('[data-scroll]').press('Home');
    await eventually(() => isInView(0), WITHIN);
    await ada.page.locator('[data-scroll]').press('End');
    await eventually(() => isInView(999_999), WITHIN);
    // The ruler goes where it is clicked.
    await evaluate(`{
      const { left, top, height } = document.querySelector('.ruler').getBoundingClientRect();
      const at = { clientX: left + 5, clientY: top + height / 4, buttons: 1, bubbles: true, pointerId: 1 };
      const ruler = document.querySelector('.ruler');
      ruler.setPointerCapture = () => {};
      ruler.dispatchEvent(new PointerEvent('pointerdown', at));
    }`);
    await eventually(async () => (await linesInView()).some((line) => Math.abs(line - 250_000) < 2000), WITHIN);
    await evaluate(`document.querySelector('[data-scroll]').scrollBy(0, 700)`);
    const before = (await linesInView())[0]!;
    await eventually(async () => (await linesInView()).length > 20 && (await linesInView())[0]! >= before, WITHIN);
  },
  TIMEOUT_MS,
);

it(
  'renders only the commands near the view',
  async () => {
    const id = await server.api.create({ env: { PS1: '' } });
    for (let count = 0; count < 200; count++) await server.manager.exec(id, { command: `: ${count}` });
    await open(id);
    await ada.page.locator('.fold-head', { hasText: ': 199' }).waitFor();
    const first = ada.page.locator('.fold-head .mono', { hasText: /^: 0$/ });
    expect(await first.count()).toBe(0);
    await ada.page.locator('[data-scroll]').press('Home');
    await first.waitFor();
    expect(await ada.page.locator('.fold-head').count()).toBeLessThan(150);
  },
  TIMEOUT_MS,
);
