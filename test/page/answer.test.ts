/**
 * Tests the link that a person gets for a password, end to end: an MCP client and its server as real processes, a running
 * server, and a real browser.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedPlace, type Place, type RunningCommand } from '../cli/place.js';
import { eventually } from '../eventually.js';
import { Agent } from '../mcp/client.js';
import { launch, person, type Browser, type Person } from './browser.js';

/** A browser starts and draws without a graphics card, while other tests use the cores. */
const TIMEOUT_MS = 90_000;
const SECRET = 'correct-horse-battery-staple';
const DIGEST = createHash('sha256').update(SECRET).digest('hex');
/** Prints a hash of its input, from which the input cannot be recovered. */
const ASKS = 'read -rs -p "Password: " p; echo; printf %s "$p" | sha256sum; unset p';
const NOT_VALID = 'This link was already used or has expired. Ask for a new one.';
const GONE = 'The program is no longer asking. Nothing was typed.';

let browser: Browser;
let place: Place;
let server: RunningCommand;
let url: string;
let agent: Agent;
let ada: Person;
/** All messages that the agent's client has received. */
let messages: string[];
/** The links that the person got, and the messages that came with them. */
let links: { url: string; message: string }[];

beforeAll(async () => (browser = await launch()), TIMEOUT_MS);
afterAll(() => browser.close());
beforeEach(async () => {
  place = await sharedPlace();
  const env = { TENACITTY_SHELL_PATH: '/bin/bash' };
  server = place.start(['serve', '--log-level', 'debug'], { stdin: null, env });
  await server.says(/is at http[^]*Stop/, 'stderr');
  url = /is at (http:\S+)/.exec(server.stderr)![1]!;
  agent = await Agent.start(place, {
    client: { capabilities: { elicitation: { url: {} } } },
    flags: ['--log-level', 'debug'],
  });
  [messages, links] = [[], []];
  const { transport, client } = agent;
  const { onmessage } = transport;
  transport.onmessage = (message, ...rest) => {
    messages.push(JSON.stringify(message));
    onmessage?.(message, ...rest);
  };
  client.setRequestHandler('elicitation/create', ({ params }) => {
    if (params.mode !== 'url') throw new Error('a password was asked for in a form');
    links.push(params);
    return Promise.resolve({ action: 'accept' });
  });
  ada = await person(browser);
}, TIMEOUT_MS);
afterEach(async () => {
  await ada.context.close();
  await agent.close();
  await place.clear();
});

const field = () => ada.page.locator('input[type=password]');
const says = (text: string) => ada.page.locator('[role=status]', { hasText: text }).waitFor();
/** The first one comes after a host has started, which takes long while other browsers use the cores. */
const linkTo = (at: number) => eventually(() => links[at]?.url, { within: TIMEOUT_MS / 2 });

async function sendPassword(): Promise<void> {
  await field().fill(SECRET);
  await ada.page.getByRole('button', { name: 'Send' }).click();
}

/** Returns every file of the place that contains this text. */
function filesWith(text: string): string[] {
  const files = readdirSync(place.directory, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return paths.filter((path) => readFileSync(path).includes(text));
}

it(
  'shows the question alone, types the password into the program, and leaves it nowhere else',
  async () => {
    const asked = agent.call({ command: ASKS });
    await ada.page.goto(await linkTo(0));
    await ada.page.locator('.dock', { hasText: /asks for a password in terminal 0/ }).waitFor();
    await ada.page.locator('.dock', { hasText: 'read -rs -p' }).waitFor();
    expect(ada.page.url()).toBe(`${url}/answer`);
    expect(await ada.page.locator('a, nav, header').count()).toBe(0);
    await sendPassword();
    await says('Typed. You can close this page.');
    expect(await asked).toMatchObject({ text: `Password: \n${DIGEST}  -`, meta: { completed: true, exit_code: 0 } });
    const history = await agent.call({ action: 'READ', command_id: 0 });
    const kept = await ada.page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])',
    );
    expect([ada.problems, await ada.context.cookies()]).toEqual([[], []]);
    await agent.close();
    const said = [...messages, server.stdout, server.stderr, agent.stderr, history.text, kept].join('\n');
    expect([said.includes(SECRET), filesWith(SECRET)]).toEqual([false, []]);
    expect(said).toContain('/api/answers');
    // Neither the log nor a file contains the code; only the client that shows the link gets it.
    const code = new URL(links[0]!.url).hash.slice('#code='.length);
    expect([server.stderr.includes(code), agent.stderr.includes(code), filesWith(code)]).toEqual([false, false, []]);
  },
  TIMEOUT_MS,
);

it(
  'works once: neither the link nor a reloaded page shows the question again',
  async () => {
    void agent.call({ command: ASKS }).catch(() => 'the client has left');
    const link = await linkTo(0);
    await ada.page.goto(link);
    await field().waitFor();
    await ada.page.reload();
    await says(NOT_VALID);
    const other = await person(browser);
    await other.page.goto(link);
    await other.page.locator('[role=status]', { hasText: NOT_VALID }).waitFor();
    expect(await other.page.locator('form').count()).toBe(0);
    await other.context.close();
  },
  TIMEOUT_MS,
);

it(
  'answers no other question than its own, also if that is the next of the same command',
  async () => {
    const asked = agent.call({ command: `read -rs -p "First: " first; echo; ${ASKS}` });
    await ada.page.goto(await linkTo(0));
    await field().waitFor();
    const [, id] = /\((\S+)\)/.exec(links[0]!.message)!;
    await place.run('send', id!, 'by hand');
    const second = await linkTo(1);
    await sendPassword();
    await says(GONE);
    expect(ada.problems.filter((problem) => !problem.includes('409'))).toEqual([]);
    // The page takes the next link in place.
    await ada.page.goto(second);
    await ada.page.locator('.dock', { hasText: 'Password:' }).waitFor();
    await sendPassword();
    expect(await asked).toMatchObject({ text: expect.stringContaining(DIGEST), meta: { completed: true } });
  },
  TIMEOUT_MS,
);

it(
  'gives its page nothing but the question: no list, no output, no other input, no live view',
  async () => {
    const asked = agent.call({ command: ASKS });
    await ada.page.goto(await linkTo(0));
    await field().waitFor();
    const [, id] = /\((\S+)\)/.exec(links[0]!.message)!;
    const tried = await ada.page.evaluate<unknown[]>(`(async () => {
      const at = '/api/terminals/${id}';
      const status = (path, options) => fetch(path, options).then((answer) => answer.status);
      const send = (path, body) => status(path, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
      });
      const live = new Promise((resolve) => {
        const socket = new WebSocket(location.origin.replace('http', 'ws') + at + '/live', 'tenacitty.v1');
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('refused');
      });
      return Promise.all([
        ...['/api/terminals', '/api/overview', at, at + '/output', at + '/screen', '/api/events', '/api/me'].map((path) => status(path)),
        send(at + '/input', { input: 'x' }), send(at + '/exec', { command: 'id' }), send('/api/terminals', {}), live,
      ]);
    })()`);
    expect(tried).toEqual([...Array<number>(10).fill(401), 'refused']);
    await sendPassword();
    expect(await asked).toMatchObject({ text: `Password: \n${DIGEST}  -` });
  },
  TIMEOUT_MS,
);
