/** Tests the page while its server is killed and started again: the sign-in survives, and a live view misses nothing. */
import { createCode } from '../../src/access/sign-in-codes.js';
import { signInLink } from '../../src/cli/sign-in-link.js';
import { sharedPlace, type Place } from '../cli/place.js';
import { eventually } from '../eventually.js';
import { launch, person, type Browser, type Person } from './browser.js';

/** A browser starts and draws without a graphics card, while other tests use the cores. */
const TIMEOUT_MS = 90_000;
const OFFSET_BYTES = 8;

let browser: Browser;
let place: Place;
let ada: Person;
beforeAll(async () => (browser = await launch()), TIMEOUT_MS);
afterAll(() => browser.close());
beforeEach(async () => {
  place = await sharedPlace();
  ada = await person(browser);
});
afterEach(async () => {
  await ada.context.close();
  await place.clear();
});

async function serve(port = '0'): Promise<string> {
  const server = place.start(['serve', `--port=${port}`], { stdin: null });
  await server.says(/is at http[^]*Stop/, 'stderr');
  return /is at (http:\S+)/.exec(server.stderr)![1]!;
}

/** What a live connection of the page has received. */
interface Connection {
  readonly url: URL;
  /** Types of messages, and the output with its offset. */
  readonly types: string[];
  readonly output: { readonly offset: number; readonly bytes: Buffer }[];
}

/** Records the connections that the page opens to a terminal. */
function connectionsTo(id: string): Connection[] {
  const connections: Connection[] = [];
  ada.page.on('websocket', (socket) => {
    const url = new URL(socket.url());
    if (url.pathname !== `/api/terminals/${id}/live`) return;
    const connection: Connection = { url, types: [], output: [] };
    connections.push(connection);
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string') connection.types.push((JSON.parse(payload) as { type: string }).type);
      else
        connection.output.push({
          offset: Number(payload.readBigUInt64BE(0)),
          bytes: payload.subarray(OFFSET_BYTES),
        });
    });
  });
  return connections;
}

const endOf = ({ output }: Connection) => output.map(({ offset, bytes }) => offset + bytes.length).at(-1);
const textOf = ({ output }: Connection) => Buffer.concat(output.map(({ bytes }) => bytes)).toString();

it(
  'resumes exactly after SIGKILL: same sign-in, output from the next byte on, and typing',
  async () => {
    const url = await serve();
    const id = await place.open('stty -echo; while read -r word; do echo "got $word"; done');
    await ada.page.goto(signInLink(url, createCode(place.env['TENACITTY_DATA_DIR']!, 60_000)));
    await ada.page.getByRole('button', { name: 'Sign out' }).waitFor();
    const connections = connectionsTo(id);
    await ada.page.locator('a.tile').first().click();
    await eventually(() => connections[0]?.types.includes('snapshot'));
    await place.manager.write(id, { input: 'before\r' });
    await eventually(() => textOf(connections[0]!).includes('got before\r\n'));
    await place.kill();
    await ada.page.locator('.banner', { hasText: 'No connection' }).first().waitFor();
    for (const word of ['while', 'it', 'was', 'gone']) await place.manager.write(id, { input: `${word}\r` });
    await place.until(id, /got gone/);
    const end = endOf(connections[0]!);
    expect(await serve(new URL(url).port)).toBe(url);
    const resumed = await eventually(() => connections.find((each) => textOf(each).includes('got gone\r\n')));
    expect(resumed.url.searchParams.get('from')).toBe(String(end));
    expect([resumed.output[0]!.offset, resumed.types.includes('snapshot')]).toEqual([end, false]);
    expect(textOf(connections[0]!) + textOf(resumed)).toBe(
      ['before', 'while', 'it', 'was', 'gone'].map((word) => `got ${word}\r\n`).join(''),
    );
    await ada.page.getByRole('button', { name: /Take over/ }).click();
    await ada.page.locator('body', { hasText: 'You hold it' }).waitFor();
    const isFocused = `document.activeElement?.classList.contains('xterm-helper-textarea') === true`;
    await eventually(() => ada.page.evaluate<boolean>(isFocused));
    await ada.page.keyboard.type('typed\n');
    await place.until(id, /got typed/);
  },
  TIMEOUT_MS,
);
