/**
 * Tests programs as event streams: in order, complete, and the same as without a stream; they continue when the caller
 * disconnects.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventClient, outputOf } from './event-client.js';
import { startServer, type ServerUnderTest } from './server-under-test.js';
import { eventually } from '../eventually.js';

/** Limits only a failing test. */
const LONG_MS = 100_000;

let server: ServerUnderTest;
beforeEach(async () => void (server = await startServer()));
afterEach(() => server.stop());

const follow = (script: string, more: object = {}) =>
  EventClient.open(server.url, '/api/run', { command: 'sh', args: ['-c', script], timeoutMs: LONG_MS, ...more });

/** Returns shell code that waits for a file, and a function that creates it. */
function gate(): { readonly wait: string; open(): void } {
  const file = join(server.dataDir, 'go');
  return { wait: `until [ -e '${file}' ]; do sleep 0.02; done`, open: () => writeFileSync(file, '') };
}

describe('a streamed program', () => {
  it('reports its terminal, its output as it arrives, and its result', async () => {
    const { wait, open } = gate();
    const client = await follow(`echo one; ${wait}; echo two; printf three; exit 5`);
    expect(client.status).toBe(201);
    const { event, data } = await client.next();
    expect([event, data]).toEqual(['started', { terminalId: expect.stringMatching(/./) }]);
    const early = await client.until('one');
    open();
    const rest = await client.rest();
    expect(early + outputOf(rest)).toBe('one\ntwo\nthree');
    expect(rest.at(-1)).toMatchObject({
      event: 'result',
      data: { terminalId: data.terminalId, completed: true, exitCode: 5, totalLines: 3, truncated: false },
    });
  });

  it('contains all of a flood, once and in order, and the rest at the end', async () => {
    const events = await (await follow('seq 1 100000; kill -KILL $$')).rest();
    const lines = Array.from({ length: 100_000 }, (_, line) => `${line + 1}`).join('\n');
    const dropped = events.some(({ event, data }) => event === 'output' && data.droppedLines > 0);
    expect(dropped || outputOf(events) === lines).toBe(true);
    expect(events.at(-1)!.data).toMatchObject({
      exitCode: null,
      signal: 'SIGKILL',
      truncated: dropped,
      hasMore: false,
    });
  });

  it('ends when the program waits for input; the program continues', async () => {
    const events = await (await follow('printf "Name? "; read -r name; echo "hello $name"')).rest();
    const { event, data } = events.at(-1)!;
    expect([event, data]).toMatchObject(['result', { completed: false, state: 'waiting', waiting: { kind: 'line' } }]);
    expect(outputOf(events)).toBe('Name? ');
    await server.api.type(data.terminalId, 'Ada');
    await server.manager.wait(data.terminalId, {});
    const { body } = await server.api.get(`/api/terminals/${data.terminalId}/output`, { cursor: data.cursor });
    expect(body.data).toMatchObject({ output: 'Ada\nhello Ada', exitCode: 0 });
  });

  it('continues after the caller disconnects', async () => {
    const { wait, open } = gate();
    const client = await follow(`echo one; ${wait}; exit 5`);
    const { terminalId } = (await client.next()).data;
    await client.until('one');
    client.leave();
    await eventually(async () => (await server.manager.summary()).waitingReads === 0);
    open();
    expect(await server.manager.wait(terminalId, { timeoutMs: LONG_MS })).toMatchObject({
      reason: 'exit',
      exitCode: 5,
    });
  });

  it('is refused like a request without a stream if it cannot start', async () => {
    const headers = { Accept: 'text/event-stream', 'Content-Type': 'application/json' };
    const body = JSON.stringify({ command: '/no/such/program' });
    const answer = await fetch(`${server.url}/api/run`, { method: 'POST', headers, body });
    expect([answer.status, ((await answer.json()) as { success: boolean }).success]).toEqual([400, false]);
    expect(await server.manager.list()).toEqual([]);
  });
});
