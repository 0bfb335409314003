/** Tests the exit codes and messages of `tenacitty acp run`. test/acp/run.test.ts tests the same codes with --json. */
import { sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import { startTurn } from './turn.js';
import type { TurnOptions } from './turn.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

const start = (steps: unknown, wishes: TurnOptions = {}) => startTurn(place, steps, wishes);
const run = (steps: unknown, wishes: TurnOptions = {}) => start(steps, wishes).ended();

describe('the exit code', () => {
  it.each([
    ['refusal', 10],
    ['max_tokens', 11],
    ['max_turn_requests', 12],
    ['cancelled', 130],
  ])('of %s is %d', async (reason, code) => {
    expect((await run([{ stop: reason }])).code).toBe(code);
  });

  it('is 1 for an agent that answers with an error, which is shown', async () => {
    const failed = await run([{ error: { code: -32603, message: 'no model' } }]);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('with an error: no model (-32603)') });
    const data = { of: ['m', '\x1b]0;x'] };
    const { stderr } = await run([{ error: { code: -32603, message: 'no model', data } }]);
    expect(stderr).toContain('no model (-32603): {"of":["m","\\u001b]0;x"]}\n');
    const refused = await run('x', { oddities: ['no-session'] });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('session/new') });
    expect(refused.stderr).toContain('out of order');
  });

  it('is 13 for an agent that requires sign-in, with instructions', async () => {
    const { code, stderr } = await run('x', { oddities: ['sign-in'] });
    expect({ code, stderr }).toEqual({
      code: 13,
      stderr: expect.stringContaining('--auth key: Use a key. SCRIPTED_KEY'),
    });
    expect((await run('x', { oddities: ['sign-in'], flags: ['--auth', 'key'] })).code).toBe(0);
  });

  it('is 14 for an agent that ends, with its last output', async () => {
    const atOnce = await run('x', { oddities: ['dies'] });
    expect(atOnce.code).toBe(14);
    expect(atOnce.stderr).toContain('The agent ended: exit code 3.\n  no ␛[31mkey␛[0m is set\n');
    const later = await run([{ say: 'so far' }, { die: 7 }]);
    expect(later).toMatchObject({ code: 14, stdout: expect.stringContaining('so far') });
    expect(later.stderr).toContain('exit code 7');
  });

  it('is 14 for a program that is not an agent, and for another version of the protocol', async () => {
    const words = ['acp', 'run', '--prompt', 'x', '--'];
    const { code, stdout, stderr } = await place.run(...words, 'sh', '-c', 'echo hello; exit 0');
    expect({ code, stderr }).toEqual({ code: 14, stderr: expect.stringContaining('The agent ended: exit code 0') });
    expect(stdout).toContain('not a protocol message: hello');
    const version = await run('x', { oddities: ['version-9'] });
    expect(version).toMatchObject({ code: 14, stderr: expect.stringContaining('speaks version 9') });
  });

  it('is 124 after the timeout: before the first answer, and during a turn', async () => {
    const mute = await run('x', { oddities: ['mute'], flags: ['--timeout', '1s'] });
    expect(mute).toMatchObject({ code: 124, stderr: expect.stringContaining('The timeout expired') });
    const begun = [{ say: 'begun' }, { wait: 1 }, { stop: 'cancelled' }];
    expect(await run(begun, { flags: ['--timeout', '3s'] })).toMatchObject({
      ...{ code: 124, stderr: 'tenacitty: The timeout expired (--timeout).\n' },
    });
  });

  it('is 127 for an agent that cannot be started', async () => {
    expect(await place.run('acp', 'run', '--prompt', 'x', '--', 'no-such-agent')).toMatchObject({
      ...{ code: 127, stderr: expect.stringContaining('no-such-agent cannot be started: program not found') },
    });
    expect((await place.run('acp', 'run', '--prompt', 'x', '--', '/etc/passwd')).code).toBe(127);
    const relative = await place.run('acp', 'run', '--prompt', 'x', '--cwd', '/usr', '--', './no-agent');
    expect(relative.stderr).toContain('program not found (looked for at /usr/no-agent).\n');
    const run = await place.run('acp', 'run', '--prompt', 'x', '--', 'no-such-agent');
    expect(await place.run('acp', 'proxy', '--', 'no-such-agent')).toEqual(run);
  });

  it('is 2 for invalid arguments', async () => {
    expect((await place.run('acp', 'run')).stderr).toContain('AGENT is missing');
    expect(await place.run('acp', 'run', '--prompt', 'x', '--cwd', '/none', '--', 'true')).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('--cwd: the directory /none does not exist.') },
    });
    expect(await place.run('acp', 'rum', '--', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('mean run?'),
    });
  });

  it('is 0 for an agent that prints a greeting before its first message, which is shown', async () => {
    const { code, stdout } = await run('hello', { oddities: ['garbage'] });
    expect(code).toBe(0);
    expect(stdout).toContain('! The agent printed a line that is not a protocol message: Welcome to the agent!');
    expect(stdout).toContain('You said: hello');
  });
});
