/** Tests which events of which terminals a hook reports, and what they contain, with real terminals. */
import type { HookEvent } from '../../src/contract/hooks.js';
import { eventually } from '../eventually.js';
import { startServer, stopServers } from '../http/server-under-test.js';
import type { ServerUnderTest } from '../http/server-under-test.js';
import { whereLinux } from '../where.js';
import { closeReceivers, startReceiver } from './receiver.js';
import type { Receiver } from './receiver.js';

let server: ServerUnderTest;
let receiver: Receiver;
beforeEach(async () => {
  [server, receiver] = [await startServer({ hooks: {} }), await startReceiver()];
});
afterEach(async () => {
  await stopServers();
  await closeReceivers();
});

const { it: onLinux } = whereLinux();

async function hook(request: object): Promise<void> {
  const { status, body } = await server.api.post('/api/hooks', { url: receiver.url, ...request });
  if (status !== 201) throw new Error(JSON.stringify(body));
}

/** A terminal whose end is the last event of a test: when it arrives, all others have. */
const keysOf = (events: readonly HookEvent[]) => events.map(({ id }) => id.split('-').slice(-1)[0]);

describe('ended', () => {
  it('reports how the program ended, with the name and labels of its terminal', async () => {
    await hook({ on: ['ended'] });
    const id = await server.api.create({
      ...{ command: '/bin/sh', args: ['-c', 'kill -9 $$'], name: 'web', labels: { project: 'a' } },
    });
    const event = await receiver.until(({ type }) => type === 'ended');
    expect(event).toMatchObject({
      text: 'web: has ended: ended by SIGKILL',
      data: { terminalId: id, name: 'web', labels: { project: 'a' }, signal: 'SIGKILL', exitCode: null },
    });
    expect(Date.parse(event.timestamp)).toBeGreaterThan(0);
    expect(event.data).not.toHaveProperty('tail');
  });

  it('reports a terminal that is removed while it runs', async () => {
    await hook({ on: ['ended'], filter: { names: ['web'] } });
    const id = await server.api.create({ command: 'cat', name: 'web' });
    await server.api.delete(`/api/terminals/${id}`);
    expect(await receiver.until(() => true)).toMatchObject({ data: { name: 'web', endedBy: { reason: 'deleted' } } });
  });
});

describe('the filter', () => {
  it.each([
    ['a label', { labels: { project: 'a' } }],
    ['a name', { names: ['web', 'other'] }],
    ['both', { names: ['web'], labels: { project: 'a' } }],
  ])('selects terminals by %s', async (_what, filter) => {
    await hook({ on: ['ended'], filter });
    await hook({ on: ['ended'], filter: { labels: { last: 'yes' } } });
    await server.api.run('exit 1');
    await server.api.create({ command: 'true', name: 'api', labels: { project: 'b' } });
    const wanted = await server.api.create({ command: 'true', name: 'web', labels: { project: 'a' } });
    await receiver.until(({ data }) => data['terminalId'] === wanted);
    const last = await server.api.create({ command: 'true', labels: { last: 'yes' } });
    await receiver.until(({ data }) => data['terminalId'] === last);
    expect(receiver.events.map(({ data }) => data['terminalId'])).toEqual([wanted, last]);
  });

  it('selects terminals by id, and follows a change of name', async () => {
    const [first, second] = [await server.api.run('read line'), await server.api.run('read line')];
    await hook({ on: ['ended'], filter: { ids: [first] } });
    await hook({ on: ['ended'], filter: { names: ['new'] } });
    await server.api.patch(`/api/terminals/${second}`, { name: 'new' });
    for (const id of [first, second]) await server.api.type(id, 'x\n');
    await eventually(() => receiver.events.length === 2);
    expect(new Set(receiver.events.map(({ data }) => data['terminalId']))).toEqual(new Set([first, second]));
  });
});

describe('command', () => {
  async function run(id: string, ...commands: readonly string[]): Promise<void> {
    for (const command of commands) await server.api.post(`/api/terminals/${id}/exec`, { command });
  }

  it('reports each command that has ended, in order', async () => {
    const id = await server.api.create({ shell: 'bash', name: 'web' });
    await run(id, 'true');
    await hook({ on: ['command'] });
    await run(id, 'echo hello', '(exit 3)');
    await eventually(() => receiver.events.length === 2);
    expect(receiver.events.map(({ text }) => text.replace(/after .*/, 'after'))).toEqual([
      'web: echo hello: exit code 0 after',
      'web: (exit 3): exit code 3 after',
    ]);
    expect(receiver.events[1]!.data['command']).toMatchObject({ commandId: 3, exitCode: 3, text: '(exit 3)' });
    expect(JSON.stringify(receiver.events)).not.toContain('"output"');
  });

  it('reports only commands that failed, or that ran for long, if so requested', async () => {
    const id = await server.api.create({ shell: 'bash' });
    await hook({ on: ['command'], failed: true });
    await hook({ on: ['command'], longerThanMs: 150 });
    await run(id, 'true', 'false', 'sleep 0.2');
    await eventually(() => receiver.events.length === 2);
    expect(keysOf(receiver.events).sort()).toEqual(['2', '3']);
  });

  it('includes the end of the output of the command only if requested', async () => {
    const id = await server.api.create({ shell: 'bash' });
    await run(id, 'echo before');
    await hook({ on: ['command'], include: 'tail' });
    await run(id, 'seq 30');
    const { data } = await receiver.until(() => true);
    expect(data['tail']).toBe(Array.from({ length: 20 }, (_, at) => String(at + 11)).join('\n'));
  });
});

describe('waiting', () => {
  onLinux('reports a question, which the receiver can answer', async () => {
    receiver.answer = (response, { event }) => {
      const waiting = event.data['waiting'] as { id: string };
      const answer = { waiting: waiting.id, text: 'blue' };
      void server.manager.answer(event.data['terminalId'] as string, answer).then(() => response.writeHead(200).end());
    };
    await hook({ on: ['waiting'] });
    const id = await server.api.run('printf "Which colour? "; read colour; echo "It is $colour"; read other');
    const event = await receiver.until(() => true);
    expect(event.data['waiting']).toMatchObject({ kind: 'line', by: 'sh', prompt: 'Which colour?' });
    expect(event.text).toContain('is waiting for input: Which colour?');
    await server.api.readUntil(id, 'It is blue');
    await eventually(() => receiver.events.length === 2);
    expect(receiver.events[1]!.id).not.toBe(event.id);
  });
});

describe('match', () => {
  it('reports each occurrence of a pattern in new output, without the output', async () => {
    const before = await server.api.run('echo error 0; read line; echo error 1; echo error 2; read line');
    await server.api.readUntil(before, 'error 0');
    await hook({ on: ['match'], pattern: 'error [0-9]' });
    const id = await server.api.run('echo error 3; read line');
    await receiver.until(({ data }) => data['terminalId'] === id);
    await eventually(() => receiver.events.length === 1);
    await server.api.type(before, 'x\n');
    await eventually(() => receiver.events.length === 3);
    expect(receiver.events.map(({ late }) => late)).toEqual([false, false, false]);
    expect(JSON.stringify(receiver.events)).not.toMatch(/error [123]"/);
  });

  it('includes the match and the last lines if requested', async () => {
    await hook({ on: ['match'], pattern: 'error ([0-9])', include: 'tail' });
    await server.api.run('echo one; echo error 7 here; read line');
    const { data } = await receiver.until(() => true);
    expect(data).toMatchObject({ match: { text: 'error 7', groups: ['7'] } });
    expect(data['tail']).toContain('one');
  });

  it('reports a few matches of a flood, and the next one after it', async () => {
    await hook({ on: ['match'], pattern: 'error' });
    const id = await server.api.run('yes error | head -n 20000; echo flooded; while read line; do echo error; done');
    const { offset: end } = await server.manager.wait(id, { text: 'flooded', fromOffset: 0 });
    await eventually(async () => {
      await server.api.type(id, 'x\n');
      return receiver.events.some(({ data }) => (data['offset'] as number) > end);
    });
    expect(receiver.events.length).toBeLessThan(100);
  });

  it('refuses an expression that cannot be used', async () => {
    const { status, body } = await server.api.post('/api/hooks', { on: ['match'], pattern: '(', url: receiver.url });
    expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('quiet', () => {
  it('reports silence once, and again after further output', async () => {
    await hook({ on: ['quiet'], quietMs: 1000 });
    const id = await server.api.run('read line; read line');
    await receiver.until(({ text }) => text.endsWith('has printed nothing for 1s'));
    await server.api.type(id, 'x\n');
    await eventually(() => receiver.events.length === 2);
    expect(new Set(receiver.events.map(({ id: each }) => each)).size).toBe(2);
  });
});
