/**
 * Tests terminals as resources, the notifications about changes, and the guide: over each transport and in each
 * revision.
 */
import type { Client } from '@modelcontextprotocol/client';
import { McpMount } from '../../src/mcp/mount.js';
import { sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import { startServer } from '../http/server-under-test.js';
import type { ServerUnderTest } from '../http/server-under-test.js';
import { DEEP } from '../deep.js';
import { Agent, ERAS } from './client.js';
import type { AgentAnswer } from './client.js';
import { HttpAgent } from './http-agent.js';
import { eventually } from '../eventually.js';

interface AnyAgent {
  readonly client: Client;
  call(args: Record<string, unknown>): Promise<AgentAnswer>;
  close(): Promise<void>;
}

let place: Place;
let server: ServerUnderTest;
let agent: AnyAgent;
beforeEach(async () => {
  place = await sharedPlace();
  const faults = { onFault: () => {}, onRefusal: () => {} };
  const engine = { defaultShell: '/bin/bash' };
  server = await startServer({ engine, mounts: (manager) => [new McpMount(manager, faults)] });
});
afterEach(async () => {
  await agent.close();
  await Promise.all([server.stop(), place.clear()]);
});

const everyConnection = ERAS.flatMap((era) => [
  { name: `stdio, ${era}`, isOverHttp: false, era, connect: () => Agent.start(place, { era }) },
  { name: `HTTP, ${era}`, isOverHttp: true, era, connect: () => HttpAgent.connect(server.url, { era }) },
]);

/** Each transport and each revision once; the deep run tries all combinations. */
const connections = everyConnection.filter(({ isOverHttp, era }) => DEEP || isOverHttp === (era === 'modern'));

async function textOf(uri: string): Promise<string> {
  const { contents } = await agent.client.readResource({ uri });
  expect(contents).toMatchObject([{ uri, mimeType: 'text/plain' }]);
  return (contents[0] as { text: string }).text;
}

describe.each(connections)('over $name', ({ connect }) => {
  beforeEach(async () => void (agent = await connect()));

  it('lists the screen and the output of each terminal, and reads both', async () => {
    expect((await agent.client.listResources()).resources).toEqual([]);
    await agent.call({ command: 'echo first', terminal: 0 });
    await agent.call({ command: 'printf "one\\ntwo\\n"', terminal: 2 });
    const { resources } = await agent.client.listResources();
    const uris = ['terminal://0', 'terminal://0/output', 'terminal://2', 'terminal://2/output'];
    expect(resources.map(({ uri }) => uri)).toEqual(uris);
    expect(await textOf('terminal://2/output')).toBe('one\ntwo');
    expect(await textOf('terminal://0')).toContain('first');
    const { resourceTemplates } = await agent.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'terminal://{terminal}',
      'terminal://{terminal}/output',
    ]);
  });

  it.each(['terminal://7', 'terminal://x', 'terminal://0/other', 'file:///etc/passwd'])(
    'does not contain %s',
    async (uri) => {
      await expect(agent.client.readResource({ uri })).rejects.toThrow();
    },
  );

  it('contains a guide', async () => {
    const { prompts } = await agent.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['terminals']);
    const { messages } = await agent.client.getPrompt({ name: 'terminals' });
    expect(messages).toMatchObject([{ role: 'user', content: { text: expect.stringContaining('EXEC') } }]);
  });

  it('declares what it notifies of', () => {
    const { resources, tools, prompts } = agent.client.getServerCapabilities() ?? {};
    expect({ resources, tools, prompts }).toEqual({
      resources: { listChanged: true, subscribe: true },
      tools: { listChanged: false },
      prompts: { listChanged: false },
    });
  });
});

/** Collects notifications; `next` resolves with the oldest one not yet returned, now or later. */
function pingsOf(client: Client) {
  const pings: string[] = [];
  let told = 0;
  let wake = () => {};
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    pings.push(params.uri);
    told++;
    wake();
  });
  return {
    pings,
    told: () => told,
    async next(): Promise<string> {
      while (pings.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return pings.shift()!;
    },
  };
}

/** Counts notifications about the list; `next` takes one that has arrived, or waits for it. */
function changesOf(client: Client) {
  let there = 0;
  let wake = () => {};
  client.setNotificationHandler('notifications/resources/list_changed', () => {
    there++;
    wake();
  });
  return {
    async next(): Promise<void> {
      while (there === 0) await new Promise<void>((resolve) => (wake = resolve));
      there--;
    },
  };
}

async function watch(client: Client, era: string, uris: string[]): Promise<() => Promise<unknown>> {
  if (era === 'legacy') {
    for (const uri of uris) await client.subscribeResource({ uri });
    return () => Promise.all(uris.map((uri) => client.unsubscribeResource({ uri })));
  }
  const listening = await client.listen({ resourceSubscriptions: uris });
  expect(listening.honoredFilter).toEqual({ resourceSubscriptions: uris });
  return () => listening.close();
}

describe.each(connections)('subscriptions over $name', ({ connect, era, isOverHttp }) => {
  beforeEach(async () => void (agent = await connect()));

  it('notify of watched resources, and of no others', async () => {
    await agent.call({ command: 'true', terminal: 0 });
    await agent.call({ command: 'true', terminal: 1 });
    const { next } = pingsOf(agent.client);
    await watch(agent.client, era, ['terminal://1/output']);
    await agent.call({ command: 'echo unwatched', terminal: 0 });
    await agent.call({ command: 'echo watched', terminal: 1 });
    expect(await next()).toBe('terminal://1/output');
    expect(await textOf('terminal://1/output')).toBe('watched');
  });

  it('notify of terminals that were added and removed, once requested', async () => {
    await agent.call({ command: 'true', terminal: 0 });
    const changes = changesOf(agent.client);
    if (era === 'legacy') await agent.client.listResources();
    else await agent.client.listen({ resourcesListChanged: true });
    const { meta } = await agent.call({ command: 'true', terminal: 1 });
    await changes.next();
    expect((await agent.client.listResources()).resources).toHaveLength(4);
    expect(meta['terminal']).toBe(1);
    const manager = isOverHttp ? server.manager : place.manager;
    const made = await manager.list();
    await manager.remove(made.at(-1)!.id, { graceMs: 0 });
    await changes.next();
    expect((await agent.client.listResources()).resources).toHaveLength(2);
  });

  it('notify of a terminal that is created later', async () => {
    const { next } = pingsOf(agent.client);
    await watch(agent.client, era, ['terminal://4']);
    await agent.call({ command: 'true', terminal: 4 });
    expect(await next()).toBe('terminal://4');
  });

  it('notify rarely of constant changes, and again at their end', async () => {
    await agent.call({ command: 'true' });
    const { told, next } = pingsOf(agent.client);
    await watch(agent.client, era, ['terminal://0/output']);
    const began = performance.now();
    await agent.call({
      command: 'for i in {1..3000}; do echo "line $i"; read -t 0.0003 -r <> <(:); done; echo the end',
    });
    for (let text = ''; !text.includes('the end'); text = await textOf('terminal://0/output')) await next();
    // At most one every half second, however long the machine has taken.
    expect(told()).toBeLessThanOrEqual((performance.now() - began) / 500 + 2);
  });

  it('notify of nothing after they have ended', async () => {
    await agent.call({ command: 'true' });
    const { pings, next } = pingsOf(agent.client);
    const stop = await watch(agent.client, era, ['terminal://0']);
    await agent.call({ command: 'echo one' });
    await next();
    await stop();
    const stopAgain = await watch(agent.client, era, ['terminal://9']);
    pings.length = 0;
    await agent.call({ command: 'echo two' });
    await agent.call({ command: 'echo three', terminal: 9 });
    expect(await next()).toBe('terminal://9');
    await stopAgain();
  });
});

it('keeps nothing of a client that has gone', async () => {
  agent = await HttpAgent.connect(server.url);
  await agent.call({ command: 'true' });
  await watch(agent.client, 'modern', ['terminal://0', 'terminal://0/output']);
  const [terminal] = await server.manager.list();
  const viewers = async () => (await server.manager.get(terminal!.id)).viewers;
  const become = (count: number) => eventually(async () => (await viewers()) === count);
  await become(1);
  await agent.close();
  await become(0);
});
