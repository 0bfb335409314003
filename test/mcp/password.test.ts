/**
 * Tests a program that asks for a password: the person types it on the page of a running server, and it is stored nowhere
 * else. With real processes, the official client, and requests as a browser would send them.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import { ListeningPorts } from '../../src/processes/listening-ports.js';
import { eventually } from '../eventually.js';
import { MAIN, sharedPlace, shortlyNamed } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import { send } from '../http/page-client.js';
import { whereLinux } from '../where.js';
import { Agent } from './client.js';
import type { AgentAnswer } from './client.js';
import { HttpAgent } from './http-agent.js';

const SECRET = 'correct-horse-battery-staple';
const DIGEST = createHash('sha256').update(SECRET).digest('hex');
/** Records each run, asks, and prints a hash of its input, from which the input cannot be recovered. */
const ASKS = 'echo run >> runs; read -rs -p "Password: " p; echo; printf %s "$p" | sha256sum; unset p';
/** Asks until it gets the right one. */
const ASKS_AGAIN = `until [ "$(printf %s "$p" | sha256sum)" = "${DIGEST}  -" ]; do read -rs -p "Password: " p; echo; done; echo in`;

interface AnyAgent {
  readonly client: Client;
  call(args: Record<string, unknown>): Promise<AgentAnswer>;
  close(): Promise<void>;
}

let place: Place;
let agent: AnyAgent;
let said: () => string;
beforeEach(async () => {
  place = await sharedPlace();
  said = () => '';
});
afterEach(async () => {
  await agent.close();
  await place.clear();
});

const CLIENT = { capabilities: { elicitation: { url: {} } } };

/** Starts a server and returns its address. */
async function serve(...flags: string[]): Promise<string> {
  const server = place.start(['serve', '--log-level', 'debug', ...flags], {
    stdin: null,
    env: { TENACITTY_SHELL_PATH: '/bin/bash' },
  });
  // The last line of the banner, after which the server can be found.
  await server.says(/is at http[^]*Stop/, 'stderr');
  said = () => `${server.stdout}${server.stderr}`;
  return /is at (http:\S+)/.exec(server.stderr)![1]!;
}

async function overHttp(era: 'legacy' | 'modern'): Promise<AnyAgent> {
  return HttpAgent.connect(await serve(), { era, client: CLIENT });
}

async function overStdio(era: 'legacy' | 'modern'): Promise<AnyAgent> {
  await serve();
  const ofServer = said;
  const started = await Agent.start(place, { era, client: CLIENT, flags: ['--log-level', 'debug'] });
  said = () => started.stderr + ofServer();
  return started;
}

const connections = [
  { name: 'stdio, legacy', connect: () => overStdio('legacy') },
  { name: 'stdio, modern', connect: () => overStdio('modern') },
  { name: 'HTTP, legacy', connect: () => overHttp('legacy') },
  { name: 'HTTP, modern', connect: () => overHttp('modern') },
];

/** Sets what the person does with each link they get; returns the messages shown with the links. */
function person(...acts: ((url: string) => Promise<ElicitResult['action']>)[]): string[] {
  const shown: string[] = [];
  agent.client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode !== 'url') throw new Error('a password was asked for in a form');
    const act = acts[shown.push(params.message) - 1];
    if (act === undefined) throw new Error('asked once too often');
    return { action: await act(params.url) };
  });
  return shown;
}

/** Opens the link as the page does; returns what sends the answer. */
async function open(link: string) {
  const { origin, pathname, hash } = new URL(link);
  expect([pathname, hash]).toEqual(['/answer', expect.stringMatching(/^#code=[\w-]{43}$/)]);
  const post = (path: string, body: object) => send(origin + path, 'POST', { Origin: origin }, body);
  const { status, text } = await post('/api/answer-links', { code: hash.slice('#code='.length) });
  expect(status).toBe(201);
  const { proof } = (JSON.parse(text) as { data: { proof: string } }).data;
  return (secret: string) => post('/api/answers', { proof, text: secret });
}

/** Sends what the page would, in the background, after the person has clicked. */
const types = (secret: string) => async (link: string) => {
  expect((await (await open(link))(secret)).status).toBe(200);
  return 'accept' as const;
};
const declines = () => Promise.resolve('decline' as const);

/** Returns every file of the place that contains this text. */
function filesWith(text: string): string[] {
  const files = readdirSync(place.directory, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return paths.filter((path) => readFileSync(path).includes(text));
}

describe.each(connections)('over $name', ({ connect }) => {
  beforeEach(async () => void (agent = await connect()));

  it('is typed by the person, and seen by no model', async () => {
    const shown = person(types(SECRET));
    const answer = await agent.call({ command: `cd ${place.directory}; ${ASKS}` });
    expect(answer).toMatchObject({ text: `Password: \n${DIGEST}  -`, meta: { completed: true, exit_code: 0 } });
    expect(shown).toEqual([
      expect.stringMatching(/^\S+ in terminal 0 \(.*\) asks for a password: Password:\n.*read -rs/s),
    ]);
    const history = await agent.call({ action: 'READ', command_id: 0 });
    const screen = await agent.call({ action: 'SCREEN' });
    await agent.close();
    expect(JSON.stringify([answer, history, screen, shown])).not.toContain(SECRET);
    expect([said().includes(SECRET), filesWith(SECRET)]).toEqual([false, []]);
    expect(readFileSync(join(place.directory, 'runs'), 'utf8')).toBe('run\n');
  });

  it('is requested again if it was wrong', async () => {
    const shown = person(types('wrong'), types(SECRET));
    const answer = await agent.call({ command: ASKS_AGAIN });
    expect(answer).toMatchObject({ text: expect.stringMatching(/\nin$/), meta: { completed: true } });
    expect(shown).toHaveLength(2);
  });

  it('is left to the terminal if the person declines, and to ctrl-c', async () => {
    person(declines);
    const answer = await agent.call({ command: `cd ${place.directory}; ${ASKS}` });
    expect(answer.meta).toMatchObject({ completed: false, waiting: { kind: 'password' } });
    expect(shortlyNamed(String(answer.meta['hint']))).toContain('tenacitty attach');
    expect((await agent.call({ action: 'INPUT', keys: ['ctrl-c'] })).meta).toMatchObject({ completed: true });
    expect(readFileSync(join(place.directory, 'runs'), 'utf8')).toBe('run\n');
  });
});

it('is not typed at a later question, nor asked for with a text that is disguised', async () => {
  agent = await overStdio('modern');
  const shown = person(async (link) => {
    const answer = await open(link);
    const [, id] = /\((\S+)\)/.exec(shown[0]!)!;
    await place.run('send', id!, 'by hand');
    await eventually(async () => (await place.stdout('logs', id!)).includes('Second'));
    const late = await answer(SECRET);
    expect([late.status, late.text.includes('Second')]).toEqual([409, false]);
    return 'accept';
  }, declines);
  const command = 'read -rs -p "$1" a; echo; read -rs -p "Second: " b; echo "[$b]"';
  const { meta } = await agent.call({ command: `set -- $'Fir\\u202est\\u200b: '; ${command}` });
  expect(meta).toMatchObject({ completed: false, waiting: { kind: 'password', prompt: 'Second: ' } });
  expect(shown).toEqual([
    expect.stringMatching(/ asks for a password: Fir\?st\?:\n/),
    expect.stringMatching(/ asks for a password: Second:\n/),
  ]);
});

describe('if no server is running whose page could show it', () => {
  const { it: itOnLinux } = whereLinux();

  itOnLinux('is left to the terminal, and no port is opened', async () => {
    const started = await Agent.start(place, { era: 'modern', client: CLIENT });
    agent = started;
    const shown = person();
    const { meta } = await agent.call({ command: ASKS });
    expect(meta).toMatchObject({ completed: false, hint: expect.stringContaining(`${MAIN} attach`) });
    const pid = started.transport.pid!;
    expect([shown, await new ListeningPorts(pid, () => Promise.resolve([pid])).find()]).toEqual([[], []]);
  });

  it('is left to the terminal if the server was killed, or has other terminals', async () => {
    await serve();
    await place.kill();
    await serve('--persistent=false');
    agent = await Agent.start(place, { era: 'modern', client: CLIENT });
    const shown = person();
    const { meta } = await agent.call({ command: ASKS });
    expect(meta).toMatchObject({ completed: false, hint: expect.stringContaining(`${MAIN} attach`) });
    expect(shown).toEqual([]);
  });
});

it('cannot be answered with a link that the person has declined', async () => {
  agent = await overStdio('modern');
  let link = '';
  person((url) => {
    link = url;
    return declines();
  });
  await agent.call({ command: ASKS });
  const { origin, hash } = new URL(link);
  const code = hash.slice('#code='.length);
  expect((await send(`${origin}/api/answer-links`, 'POST', { Origin: origin }, { code })).status).toBe(401);
});

it('is typed in the terminal, for which the hint names the data directory', async () => {
  agent = await Agent.start(place, { era: 'modern' });
  const { meta } = await agent.call({ command: ASKS });
  const [, typed] = /`([^`]* attach [^`]*)`/.exec(String(meta['hint']))!;
  // There is no `tenacitty` in that server's PATH.
  expect(typed).toMatch(new RegExp(`^node ${MAIN} attach \\S+ --data-dir=${place.directory}/data$`));
  // Without any variables, and therefore with another runtime directory.
  const [, id] = /attach (\S+)/.exec(typed!)!;
  const { stdout } = await place.runInShell(
    `env -u TENACITTY_DATA_DIR -u TENACITTY_RUNTIME_DIR "$@" logs ${id} --data-dir=${place.directory}/data`,
  );
  expect(stdout).toContain('Password');
});

it('is not requested if the client cannot show links', async () => {
  agent = await Agent.start(place, { era: 'modern' });
  const answer = await agent.call({ command: ASKS });
  expect(answer.meta).toMatchObject({ completed: false, hint: expect.stringContaining(`${MAIN} attach`) });
});
