/** Tests `tenacitty mcp` as clients use it: real processes, real shells, the official client, both revisions. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAIN, sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import { Agent, ERAS } from './client.js';
import { runs } from '../deep.js';

let place: Place;
const agents: Agent[] = [];
beforeEach(async () => (place = await sharedPlace()));
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()));
  await place.clear();
});

async function start(options?: Parameters<typeof Agent.start>[1]): Promise<Agent> {
  const agent = await Agent.start(place, options);
  agents.push(agent);
  return agent;
}

const file = (name: string) => join(place.directory, name);
/** A command that runs until the file exists. */
const until = (name: string) => `until [ -e '${file(name)}' ]; do sleep 0.05; done`;
const make = (name: string) => writeFileSync(file(name), '');

describe.each(ERAS)('in the %s revision', (era) => {
  it('runs a command with just {command}, and keeps directory and variables for the next', async () => {
    const agent = await start({ era });
    const first = await agent.call({ command: 'cd /usr && export GREETING=hello; echo here' });
    expect(first).toMatchObject({
      text: 'here',
      isError: false,
      meta: { terminal: 0, exit_code: 0, cwd: '/usr', completed: true, command_id: 1 },
    });
    expect(typeof first.meta['duration_ms']).toBe('number');
    const second = await agent.call({ command: 'echo "$GREETING from $PWD"; (exit 7)' });
    expect(second).toMatchObject({ text: 'hello from /usr', meta: { exit_code: 7, completed: true } });
    expect(await agent.call({ command: 'true' })).toMatchObject({ text: '(no output)', meta: { total_lines: 0 } });
  });

  it('reports errors of a call by field, with advice', async () => {
    const agent = await start({ era });
    const wrong: [Record<string, unknown>, RegExp][] = [
      [{}, /^command: is missing; expected the command to run/],
      [{ command: 7 }, /^command: expected a string, given 7/],
      [{ command: 'true', terminal: -1 }, /^terminal: expected at least 0, given -1/],
      [{ command: 'true', terminal: 'first' }, /^terminal: expected a number, given "first"/],
      [{ command: 'true', timeout: 1 }, /^timeout: is unknown; expected one of action, terminal/],
      [{ command: 'true', tail: 2001 }, /^tail: expected at most 2000/],
      [{ action: 'RUN', command: 'true' }, /^action: expected one of EXEC, READ/],
      [{ action: 'READ', command: 'true' }, /^command: is for action EXEC, not for READ/],
      [{ action: 'INPUT' }, /^text: is missing/],
      [{ action: 'SEARCH' }, /^pattern: is missing/],
      [{ action: 'RESIZE', cols: 80 }, /^rows: is missing/],
      [{ action: 'SIGNAL' }, /^signal: is missing; expected one of SIGHUP/],
      [{ action: 'READ' }, /^There is no terminal 0\. You have no terminals yet\. EXEC creates one\.$/],
      [{ action: 'READ', id: 'none' }, /none/],
    ];
    for (const [args, expected] of wrong) {
      const { text, isError, meta } = await agent.call(args);
      expect({ args, text, isError }).toEqual({ args, text: expect.stringMatching(expected), isError: true });
      expect(meta['error']).toMatch(/^INVALID_INPUT$|^TERMINAL_NOT_FOUND$/);
    }
    // Placeholder values with which some models omit arguments.
    const padded = { action: 'LIST', command: null, text: '', terminal: 0, clear: true, tail: 2000 };
    expect(await agent.call(padded)).toMatchObject({ isError: false });
  });

  it('reports progress to a client that requests it', async () => {
    const agent = await start({ era });
    const told: { progress: number; message?: string }[] = [];
    const call = agent.call(
      { command: `echo step 1; ${until('go')}; echo done` },
      {
        onprogress: (progress) => {
          told.push(progress as never);
          make('go');
        },
      },
    );
    expect(await call).toMatchObject({ text: 'step 1\ndone', meta: { completed: true } });
    expect(told[0]?.message).toMatch(/^\d+ s: step 1$/);
    expect(told[0]!.progress).toBeGreaterThanOrEqual(1000);
  });

  it('ends the wait when a call is cancelled, and never the command', async () => {
    const agent = await start({ era });
    const leaving = new AbortController();
    const call = agent.call(
      { command: `touch ${file('begun')}; ${until('go')}; echo done` },
      { signal: leaving.signal },
    );
    await agent.call({ terminal: 1, command: until('begun') });
    leaving.abort();
    await expect(call).rejects.toThrow();
    // Once a later call has been answered, the server knows that this one was cancelled.
    await agent.call({ terminal: 1, command: 'true' });
    make('go');
    expect(await agent.call({ action: 'WAIT' })).toMatchObject({
      text: 'done',
      meta: { completed: true, exit_code: 0 },
    });
  });
});

/** Returns the output of the last command, page by page. */
async function allLines(agent: Agent): Promise<string[]> {
  const lines: string[] = [];
  for (let from: unknown = 0; from !== undefined;) {
    const { text, meta } = await agent.call({ action: 'READ', from_line: from });
    lines.push(...text.split('\n').filter((line) => !line.startsWith('[…')));
    from = meta['next_line'];
  }
  return lines;
}

/** Repetitions of timing-dependent cases. */
const ROUNDS = runs({ normal: 3, deep: 10 });

describe('situations in which other tools failed', () => {
  const escapes = `printf 'AAAA\\033[2CBBBB\\nabc\\033[Kdef\\nabc\\rX\\n'`;
  const cases: [string, string, string, number][] = [
    ['a line that looks like the end', `printf 'Progress: 50%%\\n'; sleep 0.5; echo $`, 'Progress: 50%\n$', 0],
    ['silence before the end', 'sleep 4; echo LATE', 'LATE', 0],
    ['movement and erasure', escapes, 'AAAA  BBBB\nabcdef\nXbc', 0],
    [
      'lines that look like spinners',
      `printf '%s\\n' ---------- /a/b '- item' '||||' end`,
      '----------\n/a/b\n- item\n||||\nend',
      0,
    ],
    ['a spinner', `for c in / - '\\' '|'; do printf '\\r%s work' "$c"; done; printf '\\rdone.  \\n'`, 'done.', 0],
    ['colours', `printf '\\033[31mred\\033[0m\\n'`, 'red', 0],
    ['an exit code', '(exit 7)', '(no output)', 7],
    ['a comment at the end', 'echo hi # there', 'hi', 0],
    ['a heredoc', 'cat <<END\none\ntwo\nEND', 'one\ntwo', 0],
    ['a quote left open', `echo 'open`, '', 2],
  ];

  it.each(cases)('%s', async (_title, command, output, exitCode) => {
    const agent = await start();
    const { text, meta } = await agent.call({ command });
    expect(meta).toMatchObject({ completed: true, exit_code: exitCode });
    if (output !== '') expect(text.replace(/ +$/gm, '')).toBe(output);
  });

  it('a program that exits immediately loses none of 40 KB, each time', async () => {
    const agent = await start();
    const word = 'x'.repeat(39);
    for (let run = 0; run < 2 * ROUNDS; run++) {
      const { meta } = await agent.call({ command: `yes ${word} | head -1000` });
      expect([await allLines(agent), meta['exit_code']]).toEqual([Array.from({ length: 1000 }, () => word), 0]);
    }
  });

  it('seq 1 200000 is complete, page by page, within the requested cost', async () => {
    const agent = await start();
    const { text, meta } = await agent.call({ command: 'seq 1 200000' });
    expect(meta).toMatchObject({ total_lines: 200_000, truncated: true });
    expect(text.length).toBeLessThan(60_000);
    const at = await agent.call({ action: 'READ', command_id: 1, from_line: 123_455, tail: 1 });
    expect(at.text).toMatch(/^123456\n/);
  });
});

describe('concurrent calls', () => {
  it('run twenty commands on twenty numbers', async () => {
    const agent = await start();
    const calls = Array.from({ length: 20 }, (_, terminal) => agent.call({ terminal, command: `echo ${terminal}` }));
    const answers = await Promise.all(calls);
    expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, n) => `${n}`));
    const { terminals } = (await agent.call({ action: 'LIST' })).meta as { terminals: { terminal: number }[] };
    expect(terminals.map(({ terminal }) => terminal)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('run one of two commands on one number, and refuse the other, each time', async () => {
    const agent = await start();
    for (let terminal = 0; terminal < ROUNDS; terminal++) {
      const command = `${until('go')}; echo ran`;
      const both = [1, 2].map(() => agent.call({ terminal, command, await_completion_ms: 0 }));
      const answers = await Promise.all(both);
      expect(answers.map(({ isError }) => isError).sort()).toEqual([false, true]);
      expect(answers.find(({ isError }) => isError)?.meta['error']).toBe('TERMINAL_BUSY');
    }
    make('go');
  });

  it('of two processes in one workspace get the same terminal, each time', async () => {
    const [one, other] = await Promise.all([start({ workspace: 'shared' }), start({ workspace: 'shared' })]);
    for (let terminal = 0; terminal < ROUNDS; terminal++) {
      const call = (agent: Agent) => agent.call({ terminal, command: 'echo $$' });
      const answers = await Promise.all([call(one), call(other)]);
      const pid = answers.find(({ isError }) => !isError)!.text;
      for (const agent of [one, other]) expect((await call(agent)).text).toBe(pid);
    }
  });

  it('run a command in a new shell if the old one ends at that moment, each time', async () => {
    const agent = await start();
    for (let run = 0; run < ROUNDS; run++) {
      await agent.call({ command: 'true' });
      const ending = agent.call({ action: 'KILL' });
      const answer = await agent.call({ command: 'echo here' });
      await ending;
      // If it started before the end, it ends with its shell; if it started after, it has a new one.
      expect({ answer, isError: answer.isError }).toMatchObject({
        isError: false,
        answer: { meta: { completed: true } },
      });
    }
  });

  it('of two clients have separate numbers; a killed client leaves its commands running', async () => {
    const [one, other] = await Promise.all([start(), start({ workspace: 'mine' })]);
    await one.call({ command: 'echo one' });
    expect((await other.call({ action: 'LIST' })).text).toContain('No terminals yet');
    const lost = other.call({ command: `touch ${file('begun')}; ${until('go')}; touch ${file('done')}; echo done` });
    lost.catch(() => {});
    await one.call({ command: until('begun') });
    process.kill(other.transport.pid!, 'SIGKILL');
    await expect(lost).rejects.toThrow();
    make('go');
    expect(await one.call({ command: until('done') })).toMatchObject({ meta: { exit_code: 0 } });
    const again = await start({ workspace: 'mine' });
    expect(await again.call({ action: 'WAIT' })).toMatchObject({
      meta: { terminal: 0, completed: true, exit_code: 0 },
    });
    expect((await again.call({ action: 'READ' })).text).toBe('done');
  });
});

it('writes only messages to stdout, ends with stdin, and its terminals continue', async () => {
  const child = spawn(process.execPath, [MAIN, 'mcp', '--workspace', 'w'], {
    env: { ...place.env, TENACITTY_SHELL_PATH: '/bin/bash' },
  });
  let stdout = '';
  child.stdout.on('data', (bytes: Buffer) => (stdout += bytes.toString()));
  const message = (value: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...value })}\n`);
  const clientInfo = { name: 'raw', version: '1' };
  message({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  message({ method: 'notifications/initialized' });
  child.stdin.write('this is no message\n');
  const command = `echo hello; touch ${file('begun')}; ${until('go')}; touch ${file('done')}`;
  const params = { name: 'terminal', arguments: { command, await_completion_ms: 0 } };
  message({ id: 2, method: 'tools/call', params });
  while (!stdout.includes('"id":2')) await once(child.stdout, 'data');
  child.stdin.end();
  expect((await once(child, 'exit'))[0]).toBe(0);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .every((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc === '2.0'),
  ).toBe(true);
  const agent = await start({ workspace: 'w' });
  make('go');
  expect(await agent.call({ action: 'WAIT' })).toMatchObject({ meta: { completed: true } });
  expect(existsSync(file('done'))).toBe(true);
});
