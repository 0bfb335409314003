/**
 * Tests commands as event streams: in order, complete, at the caller's pace; and what happens to them when the caller
 * disconnects.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EventClient, outputOf } from './event-client.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';
import { eventually } from '../eventually.js';

/** Limits only a failing test. */
const LONG_MS = 100_000;
/** How often a race is tried. */
const ROUNDS = 10;

let server: ServerUnderTest;
beforeEach(async () => void (server = await startServer({ engine: { defaultShell: '/bin/bash' } })));
afterEach(stopServers);
const api = () => server.api;

const follow = (id: string, command: string, more: object = {}) =>
  EventClient.open(server.url, `/api/terminals/${id}/exec`, { command, timeoutMs: LONG_MS, ...more });
const followAgain = (id: string, commandId: number, query = '') =>
  EventClient.open(server.url, `/api/terminals/${id}/commands/${commandId}/result?timeoutMs=${LONG_MS}${query}`);

/** Resolves when the manager reports this number of waits. */
async function waiting(count: number): Promise<void> {
  await eventually(async () => (await server.manager.summary()).waitingReads === count);
}

describe('a streamed command', () => {
  it('reports its start, its output as it arrives, and its result', async () => {
    const id = await api().create();
    const marker = join(server.dataDir, 'go');
    const command = `echo one; until [ -e '${marker}' ]; do sleep 0.05; done; echo two; printf three; (exit 5)`;
    const client = await follow(id, command);
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' });
    expect(await client.next()).toEqual({ event: 'started', id: 'start', data: { terminalId: id, commandId: 1 } });
    const early = await client.until('one');
    expect(existsSync(marker)).toBe(false);
    await api().post('/api/exec', { command: `touch '${marker}'` });
    const rest = await client.rest();
    expect(early + outputOf(rest)).toBe('one\ntwo\nthree');
    expect(rest.at(-1)).toMatchObject({ event: 'result', data: { completed: true, exitCode: 5, truncated: false } });
  });

  it('contains all of a flood, once and in order', async () => {
    const id = await api().create();
    const events = await (await follow(id, 'seq 1 100000')).rest();
    const lines = Array.from({ length: 100_000 }, (_, line) => `${line + 1}`).join('\n');
    expect(outputOf(events) === lines).toBe(true);
    expect(events.at(-1)!.data).toMatchObject({ exitCode: 0, totalLines: 100_000, hasMore: false });
  });

  it('is as complete as the output without a stream, however it is printed', async () => {
    const id = await api().create();
    for (let round = 0; round < ROUNDS; round++) {
      const events = await (
        await follow(id, "for n in 1 2 3 4; do printf 'a'; printf 'b\\n\\n'; done; printf c")
      ).rest();
      const { commandId } = events[0]!.data;
      const { data } = (await api().get(`/api/terminals/${id}/commands/${commandId}/result`)).body;
      expect(outputOf(events)).toBe(data.output);
      expect(data.output).toBe('ab\n\nab\n\nab\n\nab\n\nc');
    }
  });

  it('repeats rewritten output in its new form', async () => {
    const id = await api().create();
    const marker = join(server.dataDir, 'go');
    const script = `printf '10 %%'; until [ -e '${marker}' ]; do sleep 0.05; done; printf '\\rdone\\n'`;
    const client = await follow(id, script);
    const early = await client.until('10 %');
    await api().post('/api/exec', { command: `touch '${marker}'` });
    const events = await client.rest();
    const pieces = events.filter(({ event }) => event === 'output').map(({ data }) => data);
    expect(pieces.some(({ rewrittenFrom }) => rewrittenFrom === 0)).toBe(true);
    expect(early + outputOf(events)).toMatch(/\ndone$/);
  });

  it('ends when the command waits for input, and is continued where it ended', async () => {
    const id = await api().create();
    const asked = (await (await follow(id, 'read -r -p "Name? " name; echo "hello $name"')).rest()).at(-1)!;
    expect(asked).toMatchObject({ event: 'result', data: { completed: false, waiting: { kind: 'line' } } });
    const { cursor, commandId } = asked.data;
    const again = await followAgain(id, commandId, `&untilInput=false&cursor=${encodeURIComponent(cursor)}`);
    await api().type(id, 'Ada');
    expect(outputOf(await again.rest())).toBe('Ada\nhello Ada');
  });

  it('ends at the timeout, even if the output continues', async () => {
    const id = await api().create();
    // The timeout starts with the call, so the shell must be ready by then.
    await (await follow(id, 'true')).rest();
    const events = await (await follow(id, 'while :; do echo y; done', { timeoutMs: 500 })).rest();
    expect(events.at(-1)).toMatchObject({ event: 'result', data: { completed: false, exitCode: null } });
    await api().post(`/api/terminals/${id}/commands/2/interrupt`);
    const again = await (await followAgain(id, 2)).rest();
    expect(again.at(-1)!.data).toMatchObject({ completed: true, exitCode: 130 });
  });

  it('contains raw bytes and colours on request', async () => {
    const id = await api().create();
    const command = "printf 'a\\033[1mb\\033[0m\\nc\\n'";
    expect(outputOf(await (await follow(id, command, { format: 'raw' })).rest())).toBe('a\x1b[1mb\x1b[0m\r\nc\r\n');
    expect(outputOf(await (await follow(id, command, { format: 'ansi' })).rest())).toContain('\x1b[1mb');
  });

  it('runs in a new terminal if there is none', async () => {
    const body = { command: 'echo $GREETING', terminal: { env: { GREETING: 'hello' } } };
    const client = await EventClient.open(server.url, '/api/exec', body);
    expect(client.status).toBe(201);
    const events = await client.rest();
    expect(outputOf(events)).toBe('hello');
    expect((await api().get(`/api/terminals/${events[0]!.data.terminalId}`)).status).toBe(200);
  });
});

describe('a refused stream', () => {
  const headers = { Accept: 'text/event-stream' };

  it.each([
    [{ command: 'ls', timeoutMs: 'x' }, 400, 'INVALID_INPUT'],
    [{ command: 'ls' }, 409, 'NOT_INTEGRATED'],
  ])('is an error as without a stream: %j', async (body, status, code) => {
    const id = await api().create({ command: 'cat' });
    const answer = await api().call('post', `/api/terminals/${id}/exec`, { body, headers });
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  it('is one of an unknown command', async () => {
    const id = await api().create();
    const { status, body } = await api().call('get', `/api/terminals/${id}/commands/7/result`, { headers });
    expect([status, body.error.code]).toEqual([404, 'COMMAND_NOT_FOUND']);
  });

  it.each(['*/*', 'application/json', 'application/json, text/event-stream', 'text/html'])(
    'is not sent without a request for it: Accept: %s',
    async (accept) => {
      const id = await api().create();
      const answer = await api().call('post', `/api/terminals/${id}/exec`, {
        body: { command: 'echo whole' },
        headers: { Accept: accept },
      });
      expect(answer.body.data.output).toBe('whole');
    },
  );

  it('reports a later error as an event, with the command that continues', async () => {
    const small = await startServer({ engine: { maxWaitingReads: 1, defaultShell: '/bin/bash' } });
    const [busy, id] = [await small.api.create(), await small.api.create()];
    // Callers of the manager itself: the server is full, although no REST request waits.
    const waits = Array.from({ length: 4 }, () => small.manager.wait(busy, { text: 'never', timeoutMs: 60_000 }));
    await eventually(async () => (await small.manager.summary()).waitingReads === 4);
    const client = await EventClient.open(small.url, `/api/terminals/${id}/exec`, { command: 'echo on; sleep 1000' });
    const events = await client.rest();
    expect(events[0]).toEqual({ event: 'started', id: 'start', data: { terminalId: id, commandId: 1 } });
    expect(events.at(-1)).toMatchObject({ event: 'failed', data: { code: 'LIMIT_REACHED' } });
    expect((await small.manager.command(id, 1)).state).toBe('running');
    await small.stop();
    for (const { reason } of await Promise.all(waits)) expect(reason).toBe('exit');
  });

  it('ends with its terminal', async () => {
    const id = await api().create();
    const client = await follow(id, 'sleep 1000');
    await client.next();
    await api().delete(`/api/terminals/${id}`);
    expect((await client.rest()).at(-1)).toMatchObject({ event: 'result', data: { completed: true } });
  });
});

describe('a caller that disconnects', () => {
  it('ends the stream and not the command, however often', async () => {
    const id = await api().create();
    for (let round = 1; round <= ROUNDS; round++) {
      const marker = join(server.dataDir, `go-${round}`);
      const client = await follow(id, `echo begun; until [ -e '${marker}' ]; do sleep 0.02; done; echo gone on`);
      if (round % 2 === 0) await client.until('begun');
      client.leave();
      await waiting(0);
      await api().post('/api/exec', { command: `touch '${marker}'` });
      const events = await (await followAgain(id, round)).rest();
      expect(outputOf(events)).toBe('begun\ngone on');
    }
  });

  it('in the middle of a flood leaves nothing behind', async () => {
    const id = await api().create();
    for (let round = 1; round <= ROUNDS; round++) {
      const client = await follow(id, 'seq 1 1000000000');
      await client.until('1\n2');
      client.leave();
      await waiting(0);
      await api().post(`/api/terminals/${id}/commands/${round}/interrupt`);
      const { data } = (await api().get(`/api/terminals/${id}/commands/${round}/result`, { timeoutMs: LONG_MS })).body;
      expect(data).toMatchObject({ completed: true, exitCode: 130 });
    }
    expect((await server.manager.get(id)).viewers).toBe(0);
  });

  it('applies back-pressure by not reading: nothing accumulates, and dropped output is reported', async () => {
    server = await startServer({ engine: { defaultShell: '/bin/bash', maxBufferBytes: 1 << 20 } });
    const id = await api().create();
    const client = await follow(id, 'seq -f %0100.0f 1 60000; echo end');
    await client.until('1\n');
    client.pause();
    const other = await api().create();
    const before = process.memoryUsage().arrayBuffers;
    expect((await api().post(`/api/terminals/${other}/exec`, { command: 'echo meanwhile' })).status).toBe(200);
    const { data } = (await api().get(`/api/terminals/${id}/commands/1/result`, { timeoutMs: LONG_MS, mode: 'tail' }))
      .body;
    expect(data).toMatchObject({ completed: true, truncated: true });
    expect(data.totalBytes).toBeGreaterThan(4 << 20);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 << 20);
    const rest = await client.rest();
    expect(outputOf(rest)).toMatch(/\nend$/);
    expect(rest.at(-1)!.data).toMatchObject({ completed: true, exitCode: 0, truncated: true });
  });

  it('gets what there is when the server stops', async () => {
    const id = await api().create();
    const client = await follow(id, 'echo begun; sleep 1000');
    await client.until('begun');
    await server.close();
    expect((await client.rest()).at(-1)).toMatchObject({ event: 'result', data: { completed: false } });
    expect((await server.manager.get(id)).status).toBe('active');
  });
});

it('serves one command to twenty callers, each from its start', async () => {
  const id = await api().create();
  const marker = join(server.dataDir, 'go');
  const first = await follow(id, `seq 1 500; until [ -e '${marker}' ]; do sleep 0.05; done; seq 501 1000`);
  await first.until('500');
  const others = await Promise.all(Array.from({ length: 20 }, () => followAgain(id, 1)));
  await api().post('/api/exec', { command: `touch '${marker}'` });
  const whole = Array.from({ length: 1000 }, (_, line) => `${line + 1}`).join('\n');
  for (const other of others) expect(outputOf(await other.rest()) === whole).toBe(true);
  await first.rest();
  await waiting(0);
});

describe('a client that reconnects', () => {
  const again = (id: string, commandId: number, lastEventId: string) =>
    EventClient.open(server.url, `/api/terminals/${id}/commands/${commandId}/result?timeoutMs=${LONG_MS}`, undefined, {
      'Last-Event-ID': lastEventId,
    });

  it('gets exactly what it has not received, whichever event was its last', async () => {
    const id = await api().create();
    const marker = join(server.dataDir, 'go');
    const first = await follow(id, `echo one; until [ -e '${marker}' ]; do sleep 0.05; done; echo two`);
    const [started, output] = [await first.next(), await first.next()];
    first.leave();
    await api().post('/api/exec', { command: `touch '${marker}'` });
    expect(output.data.text).toBe('one');
    for (const [had, rest] of [[started, 'one\ntwo'], [output, '\ntwo']] as const) {
      const events = await (await again(id, 1, had.id)).rest();
      expect(outputOf(events)).toBe(rest);
      expect(events.at(-1)).toMatchObject({ event: 'result', id: 'end', data: { completed: true } });
    }
  }); // prettier-ignore

  it('gets 204 after it has received the result, because nothing more follows', async () => {
    const id = await api().create();
    const { commandId } = (await api().post(`/api/terminals/${id}/exec`, { command: 'echo all' })).body.data;
    const { id: last } = (await (await followAgain(id, commandId)).rest()).at(-1)!;
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': last };
    const answer = await fetch(`${server.url}/api/terminals/${id}/commands/${commandId}/result`, { headers });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  });

  it('continues after a result that is not final', async () => {
    const id = await api().create();
    const asked = await (await follow(id, 'read -r -p "Name? " name; echo "hello $name"')).rest();
    expect(asked.at(-1)!.data.state).toBe('waiting');
    await api().type(id, 'Ada');
    const events = await (await again(id, 1, asked.at(-1)!.id)).rest();
    expect(outputOf(events)).toMatch(/hello Ada$/);
    expect(outputOf(events)).not.toMatch(/^Name/);
  });

  it('runs nothing twice', async () => {
    const id = await api().create();
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': 'start', 'Content-Type': 'application/json' };
    for (const path of [`/api/terminals/${id}/exec`, '/api/exec', '/api/run']) {
      const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: '{"command":"true"}' });
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('/result')]);
    }
    expect((await api().get(`/api/terminals/${id}/commands`)).body.data.count).toBe(0);
    expect((await api().get('/api/terminals')).body.data.count).toBe(1);
  });

  it('gets the whole output; parameters that select a part are refused', async () => {
    const id = await api().create();
    const headers = { Accept: 'text/event-stream', 'Content-Type': 'application/json' };
    const body = '{"command":"true","tailLines":3}';
    for (const path of [`/api/terminals/${id}/exec`, '/api/exec', '/api/run']) {
      const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body });
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('tailLines: has no effect')]);
    }
  });
});
