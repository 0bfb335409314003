/** Tests the tool behind a policy, over stdio: a denial tells the agent what to do. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AskForApproval } from '../../src/access/policy/command-policy.js';
import { createCommandPolicy } from '../../src/access/policy/create-command-policy.js';
import { policed } from '../../src/access/policy/policed-manager.js';
import { McpMount } from '../../src/mcp/mount.js';
import { sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import { startServer } from '../http/server-under-test.js';
import { Agent } from './client.js';
import { HttpAgent } from './http-agent.js';

let place: Place;
let agent: Agent;
beforeEach(async () => {
  place = await sharedPlace();
  const file = join(place.directory, 'policy.json');
  const policy = { allow: ['seq', 'cat', 'sleep'], ask: ['date'], deny: [{ program: 'rm', because: 'use git clean' }] };
  writeFileSync(file, JSON.stringify({ ...policy, timeLimitMs: 1500 }), { mode: 0o600 });
  agent = await Agent.start(place, { env: { TENACITTY_COMMAND_POLICY_FILE: file } });
});
afterEach(async () => {
  await agent.close();
  await place.clear();
});

describe('the tool with a policy', () => {
  it('runs what is allowed', async () => {
    expect(await agent.call({ command: 'seq 3 | cat' })).toMatchObject({ text: '1\n2\n3', meta: { exit_code: 0 } });
  });

  it('names the rule that refused a command, with advice, and does not run it', async () => {
    const canary = join(place.directory, 'canary');
    writeFileSync(canary, '');
    const refused = await agent.call({ command: `seq 1; rm ${canary}` });
    expect(refused).toMatchObject({ isError: true, meta: { error: 'COMMAND_DENIED' } });
    expect(refused.text).toMatch(/may not be run here \(deny: rm\): use git clean\. .*ask the user/);
    expect(existsSync(canary)).toBe(true);
    const asking = await agent.call({ command: 'date' });
    expect(asking.text).toMatch(/ask: date.*no approver is available here/);
    expect((await agent.call({ command: 'eval x' })).text).toContain('`eval` is not analysed');
  });

  it('types nothing, but stops a running command', async () => {
    const begun = await agent.call({ command: 'cat', await_completion_ms: 0 });
    expect(begun.meta).toMatchObject({ completed: false });
    const typed = await agent.call({ action: 'INPUT', text: 'rm x' });
    expect(typed).toMatchObject({ isError: true, meta: { error: 'COMMAND_DENIED' } });
    expect(typed.text).toMatch(/EXEC|exec/);
    const stopped = await agent.call({ action: 'INPUT', keys: ['ctrl-c'] });
    expect(stopped.meta).toMatchObject({ completed: true, exit_code: 130 });
  });

  it('reports a command that was ended by the time limit', async () => {
    const ended = await agent.call({ command: 'sleep 1000' });
    expect(ended.meta).toMatchObject({ completed: true, exit_code: 130 });
    expect(ended.meta['hint']).toMatch(/policy of this server ended it.*1500 ms/);
  });
});

it('starts nothing for HTTP callers that all disconnected while a person was asked', async () => {
  const callers = [new AbortController(), new AbortController()];
  let asked = 0;
  let told!: () => void;
  const left = new Promise<void>((resolve) => (told = resolve));
  const ask: AskForApproval = (_request, signal) => {
    if (++asked > 1) return Promise.resolve(true);
    callers[0]!.abort();
    callers[1]!.abort();
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => (resolve(true), told()));
    });
  };
  const server = await startServer({
    engine: { defaultShell: '/bin/sh' },
    mounts: (manager) => {
      const policy = createCommandPolicy({ ask: ['sh'] }, { ask });
      const guarded = policed(manager, policy, { door: 'mcp', defaultShell: '/bin/sh' });
      return [new McpMount(guarded, { onFault: () => {}, onRefusal: () => {} })];
    },
  });
  const http = await HttpAgent.connect(server.url);
  try {
    const calls = callers.map(({ signal }) => http.call({ command: 'echo lost' }, { signal }));
    for (const call of calls) await expect(call).rejects.toThrow();
    await left;
    expect(await http.call({ command: 'echo here' })).toMatchObject({ text: 'here' });
    expect(await server.manager.summary()).toMatchObject({ createdTotal: 1 });
  } finally {
    await http.close();
    await server.stop();
  }
});
