/** Tests the home page and the search in a real browser: many terminals, what is unseen, and what was searched. */
import { createCode } from '../../src/access/sign-in-codes.js';
import { signInLink } from '../../src/cli/sign-in-link.js';
import { eventually } from '../eventually.js';
import { startServer, stopServers, type ServerUnderTest } from '../http/server-under-test.js';
import { launch, person, type Browser, type Person } from './browser.js';

/** A browser starts and draws without a graphics card, while other tests use the cores. */
const TIMEOUT_MS = 90_000;
const WITHIN = { within: 30_000 };

let browser: Browser;
let server: ServerUnderTest;
let ada: Person;
beforeAll(async () => {
  browser = await launch();
  server = await startServer({ engine: { defaultShell: '/bin/bash', historyPlace: 'memory' } });
  ada = await person(browser);
  await ada.page.goto(signInLink(server.url, createCode(server.dataDir, 60_000)));
  await ada.page.getByRole('button', { name: 'Sign out' }).waitFor();
}, TIMEOUT_MS);
afterAll(async () => {
  await browser.close();
  await stopServers();
});
afterEach(() => expect(ada.problems.splice(0)).toEqual([]));

const locator = (selector: string, hasText?: string | RegExp) =>
  ada.page.locator(selector, hasText === undefined ? {} : { hasText });
const count = (selector: string) => locator(selector).count();

it(
  'shows the server’s problems, ports, full screens in small, and what has failed since it was looked at',
  async () => {
    const summary = await server.manager.summary();
    server.manager.summary = () => Promise.resolve({ ...summary, problems: ['The disk is nearly full'] });
    const id = await server.api.create({ name: 'build' });
    await server.api.run(`printf '\\033[?1049hfull screen'; exec cat`);
    await server.api.run(`exec node -e "require('net').createServer().listen(0, '127.0.0.1')"`);
    await ada.page.goto(server.url);
    await locator('.banner', 'The disk is nearly full').waitFor();
    await locator('.tile pre.mini', 'full screen').waitFor();
    await locator('.tile .by', /^:\d+/).waitFor();
    expect(await count('.unseen')).toBe(0);
    await server.manager.exec(id, { command: 'echo out-$((1+1)); false' });
    await locator('.tile', 'out-2').first().waitFor();
    await locator('.tile .unseen').waitFor();
    await locator('.tile', 'out-2').first().click();
    await locator('.thead').waitFor();
    await ada.page.goto(server.url);
    await locator('.tile', 'out-2').first().waitFor();
    expect(await count('.unseen')).toBe(0);
  },
  TIMEOUT_MS,
);

it(
  'searches lines, commands and terminals, and says how much it has searched',
  async () => {
    await server.api.ended(await server.api.run('printf "one voucher\\ntwo\\nVOUCHER\\n"'));
    await ada.page.goto(`${server.url}/search?q=voucher`);
    await locator(
      '[role=status]',
      /^2 lines in 1 of 4 terminals\. All histories were searched.*: \d+ lines in/,
    ).waitFor();
    expect(await count('.hit mark')).toBe(2);
    await ada.page.getByRole('button', { name: 'Match case' }).click();
    await locator('[role=status]', /^1 line in 1 of 4/).waitFor();
    await ada.page.goto(`${server.url}/search?q=echo`);
    await ada.page.getByRole('button', { name: /^Commands 1/ }).click();
    await locator('.found-command', 'echo out-').waitFor();
    await ada.page.getByRole('button', { name: /^Terminals 1/ }).click();
    await locator('.trow', 'build').waitFor();
    await ada.page.goto(`${server.url}/search?q=nowhere`);
    await ada.page.getByRole('button', { name: /^Printed/ }).click();
    await locator('[role=status]', /^No line says “nowhere”\. [\d,]+ lines were searched\./).waitFor();
  },
  TIMEOUT_MS,
);

it(
  'shows many terminals as rows, grouped by namespace, of which only those near the view are rendered',
  async () => {
    for (let number = 0; number < 130; number++) {
      const labels = { 'mcp.namespace': number < 65 ? 'api' : 'web', 'mcp.number': String(number) };
      // A program that asks for nothing.
      await server.manager.create({ command: 'sleep', args: ['600'], labels });
    }
    await ada.page.goto(server.url);
    await locator('.group-head', 'api 65').waitFor();
    await eventually(async () => (await count('.trow')) > 20, WITHIN);
    expect(await count('.trow')).toBeLessThan(110);
    const scroll = `document.querySelector('#main')`;
    await ada.page.evaluate(`${scroll}.scrollTo(0, 65 * 36 + 400)`);
    await locator('.trow', /web 7\d/)
      .first()
      .waitFor();
    const top = `document.querySelectorAll('.group-head')[1].getBoundingClientRect().top - ${scroll}.getBoundingClientRect().top`;
    await eventually(async () => (await ada.page.evaluate<number>(top)) === 0, WITHIN);
  },
  TIMEOUT_MS,
);
