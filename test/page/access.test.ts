/** Tests the list of sign-ins on the page: ending one, signing out, and signing out everywhere. */
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
let other: Person;
beforeAll(async () => (browser = await launch()), TIMEOUT_MS);
afterAll(() => browser.close());
beforeEach(async () => {
  server = await startServer();
  [ada, other] = [await signedIn(), await signedIn()];
  await ada.page.getByRole('link', { name: 'Access' }).click();
  await ada.page.locator('tbody tr', { hasText: 'this browser' }).waitFor();
}, TIMEOUT_MS);
afterEach(async () => {
  await Promise.all([ada.context.close(), other.context.close()]);
  await stopServers();
});

async function signedIn(): Promise<Person> {
  const somebody = await person(browser);
  await somebody.page.goto(signInLink(server.url, createCode(server.dataDir, 60_000)));
  await somebody.page.getByRole('button', { name: 'Sign out' }).waitFor();
  return somebody;
}

const button = (name: string) => ada.page.locator('.page button', { hasText: new RegExp(`^${name}$`) });
const isSignedOut = ({ page }: Person) => page.getByRole('heading', { name: 'Sign in' }).waitFor();

it(
  'shows each sign-in with its browser, and ends another one',
  async () => {
    expect(ada.page.url()).toBe(`${server.url}/access`);
    const rows = ada.page.locator('tbody tr', { hasText: /Chrome on/ });
    await eventually(async () => (await rows.count()) === 2);
    await button('End').click();
    await isSignedOut(other);
    await eventually(async () => (await rows.count()) === 1);
    expect(ada.problems).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  'signs this browser out: the cookie is gone, and the sign-in is dead',
  async () => {
    const [before] = await ada.context.cookies();
    const proof = await ada.page.evaluate<string>(`localStorage.getItem('tenacitty.proof')`);
    await button('Sign out').click();
    await isSignedOut(ada);
    expect(await ada.context.cookies()).toEqual([]);
    expect(await ada.page.evaluate(`localStorage.getItem('tenacitty.proof')`)).toBeNull();
    const headers = { Cookie: `${before!.name}=${before!.value}`, 'X-Tenacitty-Proof': proof };
    expect((await fetch(`${server.url}/api/me`, { headers })).status).toBe(401);
    await other.page.reload();
    await other.page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(ada.problems).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  'signs out everywhere',
  async () => {
    await button('Sign out everywhere').click();
    await Promise.all([isSignedOut(ada), isSignedOut(other)]);
    expect(await ada.context.cookies()).toEqual([]);
    expect(ada.problems).toEqual([]);
  },
  TIMEOUT_MS,
);
