/**
 * Tests how `tenacitty acp proxy` starts and ends: with its agent, with its editor, by signals; and what it leaves
 * behind.
 */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import { ProxyWithFakeAgent, Proxy } from './proxied.js';
import { isAlive } from './scripted.js';

let place: Place;
const proxies: Proxy[] = [];
beforeEach(async () => (place = await sharedPlace()));
afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
  await place.clear();
});

/** A proxy whose agent is a shell that runs a script. */
function shell(script: string): Proxy {
  const proxy = new Proxy(place, ['sh', '-c', script]);
  proxies.push(proxy);
  return proxy;
}

/** Resolves with the number that follows `word` in a line of stderr. */
async function pidOf(proxy: Proxy, word: string): Promise<number> {
  return Number((await proxy.says(new RegExp(`${word} (\\d+)\n`)))[1]);
}

describe('the proxy’s exit code is the agent’s', () => {
  it.each([
    ['that ends well', 'exit 0', 0],
    ['that fails', 'exit 7', 7],
    ['that is killed', 'kill -9 $$', 137],
  ])('one %s', async (_title, script, code) => {
    const proxy = shell(`echo said; ${script}`);
    expect(await proxy.editor.line()).toBe('said\n');
    expect(await proxy.editor.line()).toBe('');
    expect(await proxy.ended).toBe(code);
  });

  it('127 if the agent does not exist, and 2 if none is named', async () => {
    const missing = await place.run('acp', 'proxy', '--', 'no-such-agent');
    expect(missing).toMatchObject({ code: 127, stdout: '', stderr: expect.stringContaining('no-such-agent cannot') });
    writeFileSync(join(place.directory, 'no-program'), '');
    expect(await place.run('acp', 'proxy', '--', join(place.directory, 'no-program'))).toMatchObject({ code: 127 });
    expect(await place.run('acp', 'proxy')).toMatchObject({ code: 2, stdout: '' });
    expect(await place.run('acp', 'proxy', '--yes', '--', 'cat')).toMatchObject({ code: 2 });
  });
});

it('closes the agent’s stdin with the editor’s, and forwards its last output', async () => {
  const proxy = shell('while read line; do :; done; echo bye; exit 3');
  proxy.editor.input.end('{"last":1}\n');
  expect(await proxy.editor.line()).toBe('bye\n');
  expect(await proxy.ended).toBe(3);
});

it('treats an editor that no longer reads as one that has left', async () => {
  const proxy = shell('while echo "{}"; do read line || exit 4; done');
  await proxy.editor.line();
  proxy.editor.deafen();
  proxy.editor.input.write('\n'.repeat(100));
  expect(await proxy.ended).toBe(4);
});

it('ends an agent that keeps running after its editor has left, with all processes that it started', async () => {
  const proxy = shell(
    'trap "" TERM; sleep 1000 & echo child $! >&2; setsid sleep 1000 & echo far $! >&2; while :; do wait; done',
  );
  const pids = [await pidOf(proxy, 'child'), await pidOf(proxy, 'far')];
  proxy.editor.input.end();
  expect(await proxy.ended).toBe(137);
  expect(pids.filter(isAlive)).toEqual([]);
});

it('does not wait for processes of the agent that hold its output open', async () => {
  const proxy = shell('echo said; sleep 1000 & echo child $! >&2; exit 5');
  const child = await pidOf(proxy, 'child');
  expect(await proxy.editor.line()).toBe('said\n');
  expect(await proxy.editor.line()).toBe('');
  expect(await proxy.ended).toBe(5);
  expect(isAlive(child)).toBe(false);
});

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('forwards %s, and ends as the agent does', async (signal) => {
  const name = signal.slice('SIG'.length);
  const proxy = shell(`trap 'echo ${name} taken; exit 9' ${name}; echo ready >&2; while :; do sleep 0.05; done`);
  await proxy.says(/ready/);
  proxy.child.kill(signal);
  expect(await proxy.editor.line()).toBe(`${name} taken\n`);
  expect(await proxy.ended).toBe(9);
});

it('ends by a signal even if its output is not read', async () => {
  const proxy = shell('echo ready >&2; yes "{}"');
  await proxy.says(/ready/);
  proxy.child.kill('SIGTERM');
  expect(await proxy.ended).toBe(143);
});

it('forwards the partial line of an agent that is killed', async () => {
  const proxy = shell('printf "{\\"jsonrpc\\":"; kill -9 $$');
  expect(await proxy.editor.line()).toBe('{"jsonrpc":');
  expect(await proxy.ended).toBe(137);
});

it('continues to read if the agent no longer reads', async () => {
  const proxy = shell('exec <&-; echo closed; while [ ! -e go ]; do sleep 0.05; done; exit 6');
  expect(await proxy.editor.line()).toBe('closed\n');
  for (let n = 0; n < 64; n++) {
    if (!proxy.editor.input.write(`${'x'.repeat(1 << 20)}\n`)) await once(proxy.editor.input, 'drain');
  }
  writeFileSync(join(place.directory, 'go'), '');
  expect(await proxy.ended).toBe(6);
});

it('ends the commands of an agent that dies while they run', async () => {
  const between = await ProxyWithFakeAgent.start(place);
  proxies.push(between);
  const { editor, agent } = between;
  editor.say({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1 } });
  await agent.hears();
  const command = 'echo pid $$; exec sleep 1000';
  agent.say({ jsonrpc: '2.0', id: 1, method: 'terminal/create', params: { sessionId: 's', command } });
  const { result } = await agent.hears<{ result: { terminalId: string } }>();
  const pid = Number(/pid (\d+)/.exec(await place.until(result.terminalId, /pid \d+/))![1]);
  expect(isAlive(pid)).toBe(true);
  between.agentSocket.destroy();
  expect(await between.ended).toBe(0);
  expect(isAlive(pid)).toBe(false);
  expect(await place.manager.list()).toEqual([]);
});

it('ends what an agent starts after its editor has left', async () => {
  const params = { sessionId: 's', command: 'echo $$ >pid; exec sleep 1000', cwd: place.directory };
  const create = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'terminal/create', params });
  const proxy = shell(`while read line; do :; done; echo '${create}'; until [ -s pid ]; do sleep 0.05; done; exit 8`);
  const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1 } };
  proxy.editor.input.end(`${JSON.stringify(initialize)}\n`);
  expect(await proxy.editor.line()).toBe('');
  expect(await proxy.ended).toBe(8);
  expect(isAlive(Number(readFileSync(join(place.directory, 'pid'), 'utf8')))).toBe(false);
  expect(await place.manager.list()).toEqual([]);
});
