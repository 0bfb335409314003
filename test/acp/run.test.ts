/** Tests `tenacitty acp run`, as installed, with a scripted agent: one turn, without a keyboard. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import { AGENT, isAlive } from './scripted.js';

import { startTurn } from './turn.js';
import type { TurnOptions } from './turn.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

const start = (steps: unknown, wishes: TurnOptions = {}) => startTurn(place, steps, wishes);
const run = (steps: unknown, wishes: TurnOptions = {}) => start(steps, wishes).ended();
const list = () => place.manager.list();

describe('one turn', () => {
  it('shows the agent’s messages and thoughts, its plan, and its tools', async () => {
    const tool = { toolCallId: 'edit', title: 'Edit a.ts', kind: 'edit' };
    const diff = { type: 'diff', path: '/p/a.ts', oldText: 'one\ntwo\nthree\n', newText: 'one\n2\nthree\n' };
    const { code, stdout, stderr } = await run([
      { think: 'Let me see.' },
      { say: 'Hel' },
      { say: 'lo.\n' },
      {
        plan: [
          { content: 'look', status: 'completed' },
          { content: 'write', status: 'in_progress' },
        ],
      },
      { update: { sessionUpdate: 'tool_call', ...tool, status: 'in_progress' } },
      { update: { sessionUpdate: 'tool_call_update', toolCallId: 'edit', status: 'completed', content: [diff] } },
      { say: 'Done.' },
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').slice(2)).toEqual([
      ...['Let me see.', 'Hello.', 'Plan', '  ☑ look', '  ▶ write', '● Edit a.ts'],
      ...['✔ Edit a.ts', '  ± /p/a.ts  +1 −1', '  - two', '  + 2', 'Done.', ''],
    ]);
  });

  it('shows a terminal below its tool call, and the agent gets its output', async () => {
    const { code, stdout } = await run([{ run: { command: 'printf "one\\n\\033[31mtwo\\033[0m\\n"; exit 3' } }]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/1┌ \$ printf .* {2}node \S+ attach \w{8} --data-dir=\S+\n/);
    expect(stdout).toMatch(/\n {2}1│ one\n {2}1│ two\n {2}1└ exit code 3\n/);
    expect(stdout).toMatch(/● printf[^]*✘ printf[^]*\[3 \d+\]/);
    expect(await list()).toEqual([]);
  });

  it('has a terminal that others can see while it runs', async () => {
    const marker = join(place.directory, 'go');
    const command = start([{ run: { command: `echo begun; until [ -e '${marker}' ]; do sleep 0.05; done` } }]);
    await command.says(/│ begun/);
    const [, id = ''] = / attach (\w{8})/.exec(command.stdout) ?? [];
    expect(await place.stdout('ls', '--label', 'door=acp')).toContain(id);
    expect(await place.stdout('logs', id)).toBe('begun\n');
    const [terminal] = await list();
    expect((await place.manager.get(terminal!.id)).labels).toMatchObject({ agent: process.execPath });
    writeFileSync(marker, '');
    expect(await command.ended()).toMatchObject({ code: 0, stdout: expect.stringContaining('exit code 0') });
  });

  it('shows terminals that the agent runs itself, in the formats of v1 and v2', async () => {
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const meta = (_meta: object) => ({ update: { sessionUpdate: 'tool_call_update', toolCallId: 'a', _meta } });
    const { stdout } = await run([
      {
        update: { sessionUpdate: 'tool_call', toolCallId: 'a', content: [{ type: 'terminal', terminalId: 'theirs' }] },
      },
      meta({ terminal_info: { terminal_id: 'theirs', cwd: '/' } }),
      meta({ terminal_output: { terminal_id: 'theirs', data: 'by v1\n' } }),
      meta({ terminal_exit: { terminal_id: 'theirs', exit_code: 0 } }),
      { update: { sessionUpdate: 'terminal_update', terminalId: 'v2', command: 'make' } },
      { update: { sessionUpdate: 'terminal_output_chunk', terminalId: 'v2', data: base64('by v2\r\n') } },
      { update: { sessionUpdate: 'terminal_update', terminalId: 'v2', exitStatus: { signal: 'SIGTERM' } } },
      { update: { sessionUpdate: 'never_heard_of', of: 'it' } },
    ]);
    expect(stdout).toContain('  1┌ $ terminal of the agent\n  1│ by v1\n  1└ exit code 0\n');
    expect(stdout).toContain('  2┌ $ make\n  2│ by v2\n  2└ SIGTERM\n');
  });

  it('reads the prompt from stdin, and the agent works in --cwd', async () => {
    const words = ['acp', 'run', '--prompt', '-', '--cwd', '/usr', '--', ...AGENT];
    const { stdout } = await place.start(words, { stdin: '[{"session":1},{"run":{"command":"pwd"}}]' }).ended();
    expect(stdout).toContain('"cwd":"/usr","mcpServers":[]');
    expect(stdout).toContain('1│ /usr\n');
  });

  it('passes our MCP server to the agent with --mcp', async () => {
    const { stdout } = await run([{ session: 1 }], { flags: ['--mcp', '--data-dir', '/srv/x'] });
    expect(stdout).toMatch(
      /"mcpServers":\[\{"name":"tenacitty","command":"[^"]+","args":\["[^"]+main.js","mcp","--data-dir=/,
    );
  });

  it('loads a session with --session, and shows its earlier messages', async () => {
    const { code, stdout } = await run('more', { flags: ['--session', 'old'] });
    expect(code).toBe(0);
    expect(stdout).toMatch(/> before\n[^]*session old in [^]*You said: more\n/);
  });

  it('withholds from the agent the variables withheld from programs', async () => {
    const steps = [{ environment: 'TENACITTY_API_KEY_SHA256' }, { say: ' ' }, { environment: 'PORT' }];
    const { stdout } = await run(steps, { env: { TENACITTY_API_KEY_SHA256: 'a'.repeat(64), PORT: '4000' } });
    expect(stdout).toContain('undefined 4000');
  });

  it('lets no escape sequence of an agent take effect in the person’s terminal', async () => {
    const evil = '\x1b]52;c;eA==\x07\x9b31m\u202e';
    const { stdout, stderr } = await run([
      { say: evil },
      { plan: [{ content: evil, status: evil }] },
      {
        update: {
          sessionUpdate: 'tool_call',
          toolCallId: evil,
          title: evil,
          content: [{ type: 'content', content: { type: 'text', text: evil } }],
          status: 'failed',
        },
      },
      { ask: { title: evil } },
      { run: { command: "printf 'a\\033]52;c;eA==\\007\\033[2Jb\\n'" } },
      { update: { sessionUpdate: 'terminal_update', terminalId: evil, command: evil, exitStatus: { signal: evil } } },
      { stderr: `${evil}\n` },
      { raw: `${evil}\n` },
      { raw: `{"jsonrpc":"2.0","id":"${'\\u001b'}]0;x","result":1}\n` },
      { error: { code: 1, message: evil } },
    ]);
    expect(stdout + stderr).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(stdout).toContain('␛]52;c;eA==␇');
  });

  it('prints each event as a line of JSON with --json', async () => {
    const { code, stdout } = await run([{ say: 'hi' }, { run: { command: 'echo one' } }], { flags: ['--json'] });
    expect(code).toBe(0);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    const types = events.map(({ type }) => type);
    // Their position among the terminal's events depends on timing.
    expect(types.filter((type) => type === 'tool')).toHaveLength(3);
    expect(types.filter((type) => type !== 'tool' && type !== 'terminal_output')).toEqual([
      ...['agent', 'session', 'prompt', 'message', 'terminal_started', 'terminal_ended', 'message', 'stop', 'end'],
    ]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'terminal_ended', exitCode: 0, signal: null }));
    expect(events.at(-2)).toEqual({ type: 'stop', reason: 'end_turn' });
    expect(events).toContainEqual(expect.objectContaining({ type: 'terminal_output', text: 'one\r\n' }));
  });

  const ERROR = { code: -32603, message: 'no model', data: { of: ['m'] } };
  it.each<[string, unknown, TurnOptions, object]>([
    ['a turn', [{ say: 'x' }], {}, { exitCode: 0, reason: 'end_turn', error: null }],
    ['a refusal', [{ stop: 'refusal' }], {}, { exitCode: 10, reason: 'refusal', error: null }],
    ['an unknown reason', [{ stop: 'odd' }], {}, { exitCode: 1, reason: 'odd', error: null }],
    ['cancelled', [{ stop: 'cancelled' }], {}, { exitCode: 130, reason: 'cancelled', error: null }],
    ['not permitted', [{ ask: { title: 'x' } }], {}, { exitCode: 125, reason: 'not_permitted', error: null }],
    ['an error', [{ error: ERROR }], {}, { exitCode: 1, reason: 'error', error: ERROR }],
    ['time', [{ hang: 1 }], { flags: ['--timeout', '500ms'] }, { exitCode: 124, reason: 'timeout', error: null }],
    [
      'a sign-in',
      'x',
      { oddities: ['sign-in'] },
      { exitCode: 13, reason: 'sign_in', error: expect.objectContaining({ code: -32000 }) },
    ],
    [
      'no agent',
      [{ run: { command: 'sleep 100', keep: true } }, { die: 7 }],
      {},
      {
        exitCode: 14,
        reason: 'no_agent',
        error: { code: null, message: 'The agent ended: exit code 7.', data: null },
      },
    ],
  ])('with --json reports at the end how it ended: %s', async (_how, given, { flags = [], ...wishes }, end) => {
    const { stdout } = await run(given, { ...wishes, flags: ['--json', ...flags] });
    expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toEqual({ type: 'end', ...end });
  });

  it('reports with --json that its agent could not be started', async () => {
    const { stdout } = await place.run('acp', 'run', '--json', '--prompt', 'x', '--', 'no-such-agent');
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'end',
      exitCode: 127,
      reason: 'not_started',
      error: { code: null },
    });
  });

  it('shows a flood as fast as it is read, and ends quietly when stdout is closed', async () => {
    const { code, stdout } = await run([{ flood: 20_000 }]);
    expect(code).toBe(0);
    expect(stdout.match(/^line \d+$/gm)).toHaveLength(20_000);
    const script = `"$@" acp run --prompt '[{"flood":1000000}]' -- ${AGENT.join(' ')} | head -3 > /dev/null; echo "\${PIPESTATUS[0]}"`;
    expect(await place.runInShell(script)).toEqual({ code: 0, stdout: '141\n', stderr: '' });
  });

  it('shows the first and the last of many lines of a terminal', async () => {
    const { stdout } = await run([{ run: { command: 'seq 1 5000' } }]);
    expect(stdout).toContain('1│ 400\n  1│ … 4590 lines left out\n  1│ 4991\n');
    expect(stdout).toContain('1│ 5000\n  1└ exit code 0\n');
  });
});

describe('--quiet', () => {
  it('prints only the text of the answer', async () => {
    const steps = [
      ...[{ think: 'Hm.' }, { say: 'First' }, { say: ' one.' }, { plan: [{ content: 'look' }] }],
      ...[{ run: { command: 'echo no' } }, { say: ' and\x1b[31m so' }],
    ];
    expect(await run(steps, { flags: ['--quiet'] })).toEqual({
      ...{ code: 0, stdout: 'First one.\n[0 3] and␛[31m so\n', stderr: '' },
    });
  });

  it('reports problems on stderr', async () => {
    const steps = [{ raw: 'stray\n' }, { ask: { title: 'x' } }, { stop: 'refusal' }];
    const { code, stdout, stderr } = await run(steps, { flags: ['--quiet'] });
    expect({ code, stdout }).toEqual({ code: 125, stdout: '<no>\n' });
    expect(stderr).toMatch(/: The agent printed [^]*: stray\n.*: The agent refused to continue\.\n.*: Exit code 125/);
  });

  it('requires one prompt that is not empty, and excludes --json', async () => {
    const refused = async (...flags: string[]) => {
      const { code, stderr } = await place.start(['acp', 'run', ...flags, '--', ...AGENT], { stdin: '\n' }).ended();
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused('--quiet')).toContain('--quiet requires --prompt');
    expect(await refused('--quiet', '--json', '--prompt', 'x')).toContain('either --quiet or --json');
    expect(await refused('--prompt', '-')).toContain('--prompt: stdin is empty.');
  });
});

describe('permission', () => {
  it('is granted with --yes, for one time if possible', async () => {
    const both = await run([{ ask: { title: 'Run make' } }], { flags: ['--yes'] });
    expect(both).toMatchObject({ code: 0, stdout: expect.stringContaining('? Run make\n') });
    expect(both.stdout).toContain('  → Once\n<once>');
    const options = [{ optionId: 'a', name: 'Always', kind: 'allow_always' }];
    expect((await run([{ ask: { title: 'x', options } }], { flags: ['--yes'] })).stdout).toContain('<a>');
    const none = await run([{ ask: { title: 'x', options: [] } }], { flags: ['--yes'] });
    expect(none).toMatchObject({ code: 125, stderr: expect.stringContaining('asked for permission without offering') });
  });

  it('is refused if there is no person to ask, with an exit code for this', async () => {
    const { code, stdout, stderr } = await run([{ ask: { title: 'Run make' } }, { say: ' on' }]);
    expect(code).toBe(125);
    expect(stdout).toContain('  → No (cannot ask without a terminal; --yes grants)\n<no> on');
    expect(stderr).toMatch(
      /^tenacitty: Exit code 125: [^\n]*without a terminal, and was rejected; --yes grants such requests\.\n$/,
    );
    const options = [{ optionId: 'a', name: 'Always', kind: 'allow_always' }];
    expect((await run([{ ask: { title: 'x', options } }])).stdout).toContain('<cancelled>');
  });
});

it('shows what the policy refused, and why', async () => {
  const file = join(place.directory, 'policy.json');
  writeFileSync(file, '{"deny":["touch"]}', { mode: 0o600 });
  const steps = [{ run: { command: 'touch', args: ['a b'] } }];
  const { stdout } = await run(steps, { env: { TENACITTY_COMMAND_POLICY_FILE: file } });
  expect(stdout).toContain("! Not run: touch 'a b' may not be run here (deny: touch)\n");
});

describe('Ctrl-C', () => {
  it('cancels the turn, and the agent reports its end', async () => {
    const command = start([{ say: 'begun\n' }, { wait: 1 }, { say: 'stopped\n' }, { stop: 'cancelled' }]);
    await command.says(/begun/);
    command.child.kill('SIGINT');
    const { code, stdout } = await command.ended();
    expect(code).toBe(130);
    expect(stdout).toMatch(/! Cancelling the turn; press Ctrl-C again to exit immediately\.\n[^]*stopped/);
  });

  it('twice ends immediately, with all processes that the agent started', async () => {
    const [file, begun] = [join(place.directory, 'pid'), { say: 'begun\n' }];
    const steps = [
      { leave: file },
      { run: { command: 'sleep 1000', keep: true } },
      begun,
      { wait: 1 },
      { say: 'heard\n' },
      { hang: 1 },
    ];
    const command = start(steps);
    await command.says(/begun/);
    command.child.kill('SIGINT');
    await command.says(/heard/);
    command.child.kill('SIGINT');
    expect((await command.ended()).code).toBe(130);
    expect(isAlive(Number(readFileSync(file, 'utf8')))).toBe(false);
    expect(await list()).toEqual([]);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('and %s leaves nothing behind', async (signal, code) => {
    const file = join(place.directory, 'pid');
    const command = start([{ leave: file }, { say: 'begun\n' }, { hang: 1 }]);
    await command.says(/begun/);
    command.child.kill(signal);
    expect((await command.ended()).code).toBe(code);
    expect(isAlive(Number(readFileSync(file, 'utf8')))).toBe(false);
  });
});

it('leaves nothing running if the agent dies during a command', async () => {
  const file = join(place.directory, 'pid');
  const { code } = await run([{ leave: file }, { run: { command: 'sleep 1000', keep: true } }, { die: 1 }]);
  expect(code).toBe(14);
  expect(isAlive(Number(readFileSync(file, 'utf8')))).toBe(false);
  expect(await list()).toEqual([]);
});

it.each([
  ['run', ['acp', 'run', '--prompt', 'x', '--', ...AGENT]],
  ['proxy', ['acp', 'proxy', '--', ...AGENT]],
])('terminals of a killed client are ended when the next acp %s starts', async (_name, next) => {
  const killed = start([{ run: { command: 'sleep 1000', keep: true } }, { say: 'begun\n' }, { hang: 1 }]);
  await killed.says(/begun/);
  killed.child.kill('SIGKILL');
  await killed.ended();
  expect(await list()).toHaveLength(1);
  expect((await place.start(next).ended()).code).toBe(0);
  expect(await list()).toEqual([]);
});

it('ends with the last of its terminals if the agent is killed, however long they take', async () => {
  const file = join(place.directory, 'pids');
  const child = `setsid bash -c 'trap "" TERM HUP; echo $$ >> ${file}; while :; do sleep 0.05; done'`;
  const line = `trap "" TERM HUP; echo $$ >> ${file}; ${child} & until [ $(wc -l < ${file}) = 2 ]; do sleep 0.05; done; echo ready; wait`;
  const command = start([{ pid: 1 }, { run: { command: line, keep: true } }, { hang: 1 }]);
  await command.says(/│ ready/);
  process.kill(Number(/pid (\d+)/.exec(command.stdout)![1]), 'SIGKILL');
  expect(await command.ended()).toMatchObject({ code: 14, stdout: expect.stringContaining('└ SIGKILL') });
  const pids = readFileSync(file, 'utf8').trim().split('\n').map(Number);
  expect(pids.map(isAlive)).toEqual([false, false]);
  expect(await list()).toEqual([]);
});
