/**
 * Tests which side a `$/cancel_request` of the agent is for behind `tenacitty acp proxy`: the proxy, the editor, or
 * both.
 */
import { sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import type { ProxyWithFakeAgent } from './proxied.js';
import { begun, create, rpc, SESSION } from './proxied-session.js';

let place: Place;
let between: ProxyWithFakeAgent;
beforeEach(async () => {
  place = await sharedPlace();
  between = await begun(place);
});
afterEach(async () => {
  await between.close();
  await place.clear();
});

const cancel = (requestId: unknown) => rpc({ method: '$/cancel_request', params: { requestId } });
const permission = (id: unknown) => rpc({ id, method: 'session/request_permission', params: { sessionId: SESSION } });
const wait = (id: unknown, terminalId: string) =>
  rpc({ id, method: 'terminal/wait_for_exit', params: { sessionId: SESSION, terminalId } });
const end = rpc({ method: 'the/end' });

it.each([1, '1', 'null', null, 0])(
  'forwards a cancellation for an id that was used again for the editor (%j)',
  async (id) => {
    const { agent, editor } = between;
    agent.say(rpc({ id, method: 'terminal/create', params: { sessionId: SESSION, command: 'true' } }));
    expect(await agent.hears()).toMatchObject({ id, result: {} });
    agent.say(permission(id));
    agent.say(cancel(id));
    expect(await editor.hears()).toEqual(permission(id));
    expect(await editor.hears()).toEqual(cancel(id));
  },
);

it('keeps a cancellation for an id that was last used here, however often it was used for the editor', async () => {
  const { agent, editor } = between;
  const terminalId = await create(between, 'exec sleep 1000');
  agent.say(permission(1));
  expect(await editor.hears()).toEqual(permission(1));
  editor.say(rpc({ id: 1, result: {} }));
  expect(await agent.hears()).toEqual(rpc({ id: 1, result: {} }));
  agent.say(wait(1, terminalId));
  agent.say(cancel(1));
  expect(await agent.hears()).toMatchObject({ id: 1, error: { code: -32800 } });
  agent.say(cancel(1));
  agent.say(end);
  expect(await editor.hears()).toEqual(end);
});

it('distinguishes the id 1 from the id "1"', async () => {
  const { agent, editor } = between;
  const terminalId = await create(between, 'exec sleep 1000');
  agent.say(wait(1, terminalId));
  agent.say(wait('1', terminalId));
  agent.say(permission('1'));
  agent.say(cancel(1));
  expect(await agent.hears()).toMatchObject({ id: 1, error: { code: -32800 } });
  agent.say(end);
  expect([await editor.hears(), await editor.hears()]).toEqual([permission('1'), end]);
});

it('cancels all waits under one id, and informs the editor if the id was used for it since', async () => {
  const { agent, editor } = between;
  const terminalId = await create(between, 'exec sleep 1000');
  agent.say(wait(7, terminalId));
  agent.say(wait(7, terminalId));
  agent.say(permission(7));
  agent.say(cancel(7));
  for (let n = 0; n < 2; n++) expect(await agent.hears()).toMatchObject({ id: 7, error: { code: -32800 } });
  agent.say(cancel(7));
  agent.say(end);
  expect([await editor.hears(), await editor.hears(), await editor.hears(), await editor.hears()]).toEqual([
    ...[permission(7), cancel(7)],
    ...[cancel(7), end],
  ]);
});
