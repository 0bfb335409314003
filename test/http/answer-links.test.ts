/** Tests links to answer one question, at the level of requests: what they permit, once, and what everything else meets. */
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createAnswerCode } from '../../src/access/answer-links.js';
import { createCode } from '../../src/access/sign-in-codes.js';
import { eventually } from '../eventually.js';
import { exchange, send, type PageAnswer } from './page-client.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

const SECRET = 'correct-horse-battery-staple';
const NOT_VALID = 'This link was already used or has expired. Ask for a new one.';
const GONE = 'The program is no longer asking. Nothing was typed.';
const COMMAND =
  'read -rs -p "Password: " one; echo; read -rs -p "Second: " two; echo; echo "lengths ${#one} and ${#two}"';

let server: ServerUnderTest;
let id: string;
let waiting: string;
beforeEach(async () => {
  server = await startServer({ engine: { defaultShell: '/bin/bash' } });
  id = await server.api.create();
  await server.manager.exec(id, { command: COMMAND, detach: true });
  waiting = await question();
});
afterEach(stopServers);

/** Returns the id of what the terminal waits for, if it is not `not`. */
async function question(not?: string): Promise<string> {
  return eventually(async () => {
    const [terminal] = await server.manager.overview({ ids: [id] });
    return terminal?.waiting?.id !== not && terminal?.waiting?.id;
  });
}

const newCode = (validMs?: number) =>
  createAnswerCode(server.dataDir, { terminalId: id, waiting, commandId: 1, terminal: 'terminal 0' }, validMs).code;
const post = (path: string, body: object, headers: Record<string, string> = { Origin: server.url }) =>
  send(server.url + path, 'POST', headers, body);
const open = (code: string, headers?: Record<string, string>) => post('/api/answer-links', { code }, headers);
const answer = (proof: string, text = SECRET) => post('/api/answers', { proof, text });
const proofIn = ({ text }: PageAnswer) => (JSON.parse(text) as { data: { proof: string } }).data.proof;
const outcomeOf = ({ status, text }: PageAnswer) => [
  status,
  (JSON.parse(text) as { error?: { message: string } }).error?.message,
];

it('return the question and nothing else, then type one answer, and sign nobody in', async () => {
  const opened = await open(newCode());
  expect([opened.status, opened.headers.get('set-cookie')]).toEqual([201, null]);
  const { proof, question: shown } = (JSON.parse(opened.text) as { data: { proof: string; question: object } }).data;
  expect(shown).toEqual({
    ...{ by: 'bash', kind: 'password', prompt: 'Password:', since: expect.any(String) as string },
    ...{ terminal: 'terminal 0', command: COMMAND },
  });
  const typed = await answer(proof);
  expect([typed.status, typed.headers.get('set-cookie')]).toEqual([200, null]);
  expect(await server.api.readUntil(id, 'Second')).not.toContain(SECRET);
  expect((await server.manager.get(id)).lastTypedBy).toMatchObject({ door: 'rest' });
  await server.api.type(id, 'x\r');
  await server.api.readUntil(id, `lengths ${SECRET.length} and 1`);
});

it('are refused alike if they were used, have expired or are wrong, also those that sign in', async () => {
  const used = newCode();
  await open(used);
  const signIn = createCode(server.dataDir, 60_000);
  for (const code of [used, newCode(-1), 'x'.repeat(43), '../sign-in-codes/x', signIn])
    expect(outcomeOf(await open(code))).toEqual([401, NOT_VALID]);
  expect((await exchange(server.url, { code: newCode() })).status).toBe(401);
  expect((await exchange(server.url, { code: signIn })).status).toBe(201);
});

it('open once, however many try at the same time', async () => {
  const code = newCode();
  const answers = await Promise.all(Array.from({ length: 8 }, () => open(code)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(401)]);
});

it('take one answer, however many are sent at the same time', async () => {
  const proof = proofIn(await open(newCode()));
  const answers = await Promise.all(Array.from({ length: 8 }, () => answer(proof)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(401)]);
  await question(waiting);
});

it('limit the codes of one address, right ones too, so that trying finds none', async () => {
  for (let tried = 0; tried < 20; tried++) expect((await open('x'.repeat(43))).status).toBe(401);
  const { status, headers } = await open(newCode());
  expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
});

it('answer no later question, and say nothing about it', async () => {
  const [early, code] = [proofIn(await open(newCode())), newCode()];
  await server.api.type(id, 'by hand\r');
  await question(waiting);
  for (const late of [await answer(early), await open(code)]) {
    expect(outcomeOf(late)).toEqual([409, GONE]);
    expect(late.text).not.toContain('Second');
  }
  expect(outcomeOf(await answer(early))).toEqual([401, NOT_VALID]);
  await server.api.type(id, 'x\r');
  await server.api.readUntil(id, 'lengths 7 and 1');
});

it('are over when the terminal has ended or was removed', async () => {
  const [first, second] = [proofIn(await open(newCode())), proofIn(await open(newCode()))];
  const code = newCode();
  await server.manager.kill(id, { graceMs: 0 });
  expect(outcomeOf(await answer(first))).toEqual([409, GONE]);
  await server.manager.remove(id, { graceMs: 0 });
  for (const late of [await answer(second), await open(code)]) expect(outcomeOf(late)).toEqual([409, GONE]);
});

it.each([
  ['two lines', `${SECRET}\rtouch x`],
  ['escape sequences', `${SECRET}\u001b[A`],
  ['too much', SECRET.repeat(100)],
])('type no %s, repeat nothing of it, and still take the answer', async (_what, text) => {
  const proof = proofIn(await open(newCode()));
  const refused = await answer(proof, text);
  expect(refused.status).toBe(400);
  expect(refused.text).not.toContain(SECRET);
  expect((await answer(proof)).status).toBe(200);
});

it.each([
  ['no origin', () => ({})],
  ['another port', () => ({ Origin: 'http://127.0.0.1:4000' })],
  ['another site', () => ({ Origin: 'https://evil.example' })],
  ['another name of this machine', () => ({ Origin: server.url.replace('127.0.0.1', 'localhost') })],
  ['a frame without an origin', () => ({ Origin: 'null' })],
])('are only for the server’s own page, not for %s', async (_who, headers) => {
  const code = newCode();
  expect((await open(code, headers())).status).toBeGreaterThanOrEqual(401);
  const proof = proofIn(await open(code));
  const refused = await post('/api/answers', { proof, text: SECRET }, headers());
  expect(refused.status).toBeGreaterThanOrEqual(401);
  expect((await answer(proof)).status).toBe(200);
});

it('admit to no other request, neither with the code nor with the proof', async () => {
  const code = newCode();
  const proof = proofIn(await open(newCode()));
  const tried = [code, proof].flatMap((secret) => [
    { 'X-Tenacitty-Proof': secret },
    { 'X-Tenacitty-Proof': proof, Cookie: `tenacitty-${server.port}=${secret}` },
    { Authorization: `Bearer ${secret}` },
  ]);
  for (const headers of tried) {
    const own = { Origin: server.url, ...headers } as Record<string, string>;
    for (const path of ['/api/terminals', '/api/overview', `/api/terminals/${id}/output`, '/api/events', '/api/me'])
      expect([path, (await send(server.url + path, 'GET', own)).status]).toEqual([path, 401]);
    for (const path of [`/api/terminals/${id}/input`, `/api/terminals/${id}/answer`, '/api/terminals'])
      expect([path, (await post(path, { waiting, text: 'x' }, own)).status]).toEqual([path, 401]);
  }
  expect(await question()).toBe(waiting);
});

it('are kept as hashes that only the user can read, and appear in no log', async () => {
  const code = newCode();
  const folder = join(server.dataDir, 'answer-codes');
  const [name] = readdirSync(folder);
  expect(statSync(join(folder, name!)).mode & 0o777).toBe(0o600);
  const stored = name! + readFileSync(join(folder, name!), 'utf8');
  const proof = proofIn(await open(code));
  await answer(proof);
  await question(waiting);
  for (const secret of [code, proof, SECRET, COMMAND]) expect(stored + server.logLines.join('')).not.toContain(secret);
  expect(server.logLines.join('')).toContain('/api/answers');
  expect(readdirSync(folder)).toEqual([]);
});

it('are not read from a folder that others may write to', async () => {
  const code = newCode();
  chmodSync(join(server.dataDir, 'answer-codes'), 0o777);
  expect((await open(code)).status).toBeGreaterThanOrEqual(400);
  chmodSync(join(server.dataDir, 'answer-codes'), 0o700);
  expect((await open(code)).status).toBe(201);
});
