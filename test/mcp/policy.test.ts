/** The tool behind a policy, over stdio: what is refused tells the agent what to do. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Place } from '../cli/place.js';
import { Agent } from './client.js';

let place: Place;
let agent: Agent;
beforeEach(async () => {
  place = await new Place().ready();
  const file = join(place.directory, 'policy.json');
  const policy = { allow: ['seq', 'cat', 'sleep'], ask: ['date'], deny: [{ program: 'rm', because: 'use git clean' }] };
  writeFileSync(file, JSON.stringify({ ...policy, timeLimitMs: 1500 }), { mode: 0o600 });
  agent = await Agent.start(place, { env: { COMMAND_POLICY_FILE: file } });
});
afterEach(async () => {
  await agent.close();
  await place.close();
});

describe('the tool behind a policy', () => {
  it('runs what is allowed', async () => {
    expect(await agent.call({ command: 'seq 3 | cat' })).toMatchObject({ text: '1\n2\n3', meta: { exit_code: 0 } });
  });

  it('says by which rule a command is refused and what to do, and does not run it', async () => {
    const canary = join(place.directory, 'canary');
    writeFileSync(canary, '');
    const refused = await agent.call({ command: `seq 1; rm ${canary}` });
    expect(refused).toMatchObject({ isError: true, meta: { error: 'COMMAND_DENIED' } });
    expect(refused.text).toMatch(/may not be run here \(deny: rm\): use git clean\. .*ask the person/);
    expect(existsSync(canary)).toBe(true);
    const asking = await agent.call({ command: 'date' });
    expect(asking.text).toMatch(/ask: date.*nobody can be asked here/);
    expect((await agent.call({ command: 'eval x' })).text).toContain('`eval` is not looked into');
  });

  it('types nothing, but stops what runs', async () => {
    const begun = await agent.call({ command: 'cat', await_completion_ms: 0 });
    expect(begun.meta).toMatchObject({ completed: false });
    const typed = await agent.call({ action: 'INPUT', text: 'rm x' });
    expect(typed).toMatchObject({ isError: true, meta: { error: 'COMMAND_DENIED' } });
    expect(typed.text).toMatch(/EXEC|exec/);
    const stopped = await agent.call({ action: 'INPUT', keys: ['ctrl-c'] });
    expect(stopped.meta).toMatchObject({ completed: true, exit_code: 130 });
  });

  it('says of a command that has run too long that it was ended', async () => {
    const ended = await agent.call({ command: 'sleep 1000' });
    expect(ended.meta).toMatchObject({ completed: true, exit_code: 130 });
    expect(ended.meta['hint']).toMatch(/It was ended.*1500 ms.*policy/);
  });
});
