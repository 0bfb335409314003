/** Tests EXEC in what a command has started: a shell, a REPL, another machine; and never elsewhere. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import { startSshServer } from '../shell/ssh-server.js';
import type { SshServer } from '../shell/ssh-server.js';
import { Agent } from './client.js';
import { whereRoot } from '../where.js';

const { describe: describeAsRoot } = whereRoot();

let place: Place;
let agent: Agent;
beforeEach(async () => {
  place = await sharedPlace();
  agent = await Agent.start(place);
});
afterEach(async () => {
  await agent.close();
  await place.clear();
});

it('runs in a bash in a bash, as the hint says, and in the outer one after that has ended', async () => {
  const outer = await agent.call({ command: 'bash --norc' });
  expect(outer.meta).toMatchObject({ completed: false, state: 'nested' });
  expect(outer.meta['hint']).toContain('EXEC with "within":"auto"');
  const inner = await agent.call({ command: 'cd /usr; DEPTH=inner; echo "$BASHPID"; false', within: 'auto' });
  expect(inner.meta).toMatchObject({ exit_code: 1, cwd: '/usr', within: 1, completed: true });
  const next = await agent.call({ command: 'echo "$DEPTH $BASHPID"', within: 'auto' });
  expect(next).toMatchObject({ text: `inner ${inner.text}`, meta: { within: 1 } });
  expect((await agent.call({ command: 'DEPTH=2', within: 'python' })).text).toMatch(/is bash, not python/);
  expect((await agent.call({ command: 'echo "$DEPTH"', within: 'sh' })).text).toBe('inner');
  const exit = await agent.call({ command: 'exit 3', within: 'auto' });
  expect(exit.meta).toMatchObject({
    within: 1,
    hint: expect.stringContaining('The nested shell in command 1 has ended'),
  });
  const after = await agent.call({ command: 'echo "${DEPTH-outer}"' });
  expect(after).toMatchObject({ text: 'outer', meta: { exit_code: 0 } });
  expect(after.meta).not.toHaveProperty('within');
});

it('runs nothing if there is no nested shell', async () => {
  const file = join(place.directory, 'never');
  const none = await agent.call({ command: `touch ${file}`, within: 'auto' });
  expect(none).toMatchObject({ isError: true, meta: { error: 'TERMINAL_NOT_FOUND' } });
  await agent.call({ command: 'true' });
  const idle = await agent.call({ command: `touch ${file}`, within: 'auto' });
  expect(idle).toMatchObject({ isError: true, meta: { error: 'NOT_INTEGRATED' } });
  expect(idle.text).toBe(
    'Nothing was run. No command is running in this terminal, so there is no nested shell. Leave out "within" to ' +
      "run the command in the terminal's own shell.",
  );
  await agent.call({ command: 'read -rs -p "Password: "' });
  const asked = await agent.call({ command: `touch ${file}`, within: 'auto' });
  expect(asked).toMatchObject({ isError: true, meta: { error: 'NOT_INTEGRATED' } });
  expect(asked.text).toMatch(/^Nothing was run\. No nested shell .* command 2 of terminal 0: .* attach /);
  expect(existsSync(file)).toBe(false);
});

it('is only for EXEC, and reports what it accepts', async () => {
  expect((await agent.call({ command: 'true', within: true })).text).toMatch(/within.*auto/);
  expect((await agent.call({ action: 'READ', within: 'auto' })).text).toMatch(/within: is for action EXEC/);
});

it('runs code in a REPL, with a failure as exit code 1', async () => {
  const begun = await agent.call({ command: 'python3 -q' });
  expect(begun.meta).toMatchObject({ completed: false, state: 'nested' });
  expect(await agent.call({ command: 'x = 6\nx * 7', within: 'auto' })).toMatchObject({
    text: '42',
    meta: { exit_code: 0, within: 1 },
  });
  const failed = await agent.call({ command: 'for i in range(2):\n  print(i)\n1 / 0', within: 'auto' });
  expect(failed.meta).toMatchObject({ exit_code: 1, within: 1 });
  expect(failed.text).toMatch(/^0\n1\n[^]*ZeroDivisionError/);
  expect((await agent.call({ command: 'x + 1', within: 'auto' })).text).toBe('7');
  for (const within of ['sh', 'node']) {
    const other = await agent.call({ command: 'x = 99', within });
    expect(other).toMatchObject({ isError: true, meta: { error: 'NOT_INTEGRATED' } });
    expect(other.text).toMatch(
      new RegExp(`^Nothing was run\\. The nested shell in command 1 is python, not ${within}\\.`),
    );
  }
  expect((await agent.call({ command: 'x', within: 'python' })).text).toBe('6');
});

describeAsRoot('behind ssh', () => {
  let server: SshServer;
  beforeEach(async () => (server = await startSshServer()));
  afterEach(() => server.stop());

  it('answers when the output becomes silent, then runs commands there, and afterwards here', async () => {
    const login = ['ssh', '-i', server.key, '-o', 'StrictHostKeyChecking=no', ...server.to].join(' ');
    // With progress notifications, a call waits for the full requested time, which no test does.
    const options = { onprogress: () => {}, timeout: 600_000 };
    const begun = await agent.call({ command: login, await_completion_ms: 600_000 }, options);
    expect(begun.meta).toMatchObject({ completed: false });
    expect(begun.meta['hint']).toContain('"within":"auto"');
    const there = await agent.call({ command: 'echo "${SSH_CONNECTION:+far away}"; cd /usr; false', within: 'auto' });
    expect(there).toMatchObject({ text: 'far away', meta: { exit_code: 1, cwd: '/usr', within: 1 } });
    await agent.call({ command: 'exit', within: 'auto' });
    const gone = await agent.call({ command: 'echo where', within: 'auto' });
    expect(gone).toMatchObject({ isError: true, meta: { error: 'NOT_INTEGRATED' } });
    expect((await agent.call({ command: 'echo "${SSH_CONNECTION:-here}"' })).text).toBe('here');
  });
});
