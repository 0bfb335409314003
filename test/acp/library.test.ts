/** Tests the terminal methods as plain functions, rule by rule, wherever the terminals are held. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AcpTerminals } from '../../src/acp.js';
import type { AcpTerminalsOptions, CreateTerminalParams, TerminalOutput, TerminalParams } from '../../src/acp.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import { takeSnapshot } from '../../src/processes/process-table.js';
import { error } from '../conformance/error.js';
import { MANAGERS, stopEngines } from '../engine/engine-under-test.js';
import type { Limits } from '../engine/engine-under-test.js';
import { untilGone } from '../host/host-under-test.js';
import { eventually } from '../eventually.js';

const SESSION = 'sess_1';
/** Ends only by SIGKILL, and prints when it is ready. */
const STUBBORN = `trap "" TERM HUP INT; echo ready; exec sleep 1000`;

let directory: string;
/** The manager of the terminals that a test started last. */
let manager: TerminalManager;
beforeEach(() => void (directory = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-')))));
afterEach(async () => {
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

describe.each(MANAGERS)('a terminal of an agent, held %s', (_where, startManager) => {
  /** Starts one agent, with a session in `directory`. */
  function start(options: Partial<AcpTerminalsOptions> = {}, limits: Limits = {}): AcpTerminals {
    manager = startManager(limits);
    const terminals = new AcpTerminals({ manager, ...options });
    terminals.openSession(SESSION, { cwd: directory });
    return terminals;
  }

  describe('runs', () => {
    it('a line without args in a shell, and a program with args directly', async () => {
      const terminals = start();
      for (const [asked, output] of [
        [{ command: 'x=1; echo "$((x + 1))" | cat' }, '2\n'],
        [{ command: 'echo a && echo b', args: null }, 'a\nb\n'],
        [{ command: 'echo a || echo b', args: [] }, 'a\n'],
        [{ command: '[[ abc == a* ]] && cat <(echo yes)' }, 'yes\n'],
        [{ command: 'printf', args: ['%s|', '$HOME', 'a b', '*', ''] }, '$HOME|a b|*||'],
      ] satisfies [asked: Asked, output: string][]) {
        const exitStatus = { exitCode: 0, signal: null };
        expect(await run(terminals, asked)).toEqual({ output, truncated: false, exitStatus });
      }
    });

    it('in the directory of its session, or in the requested one', async () => {
      const terminals = start({ cwd: '/' });
      expect((await run(terminals, { command: 'pwd' })).output).toBe(`${directory}\n`);
      expect((await run(terminals, { command: 'pwd', cwd: '/usr' })).output).toBe('/usr\n');
      expect((await run(terminals, { command: 'pwd', cwd: null })).output).toBe(`${directory}\n`);
      expect((await run(terminals, { command: 'pwd', sessionId: 'nobody told of' })).output).toBe('/\n');
    });

    it('with its variables in addition to those of the client, on a terminal, without a pager', async () => {
      const terminals = start();
      const env = [
        { name: 'GREETING', value: 'hello=you' },
        { name: 'TERM', value: 'dumb' },
      ];
      const command = 'echo "$GREETING $TERM ${PATH:+path} $PAGER $GIT_PAGER"; test -t 0 && test -t 1 && stty size';
      expect((await run(terminals, { command, env })).output).toBe('hello=you dumb path cat cat\n24 80\n');
      const size = { tenacitty: { cols: 132, rows: 50 }, other: { cols: 'x' } };
      expect((await run(terminals, { command: 'echo $TERM; stty size', _meta: size })).output).toBe(
        'xterm-256color\n50 132\n',
      );
    });
  });

  it('is available before its command has ended, and returns the output so far', async () => {
    const terminals = start();
    const id = await create(terminals, { command: 'echo one; read line; echo "two $line"' });
    await eventually(async () => (await terminals.terminalOutput(id)).output === 'one\n');
    expect(await terminals.terminalOutput(id)).toEqual({ output: 'one\n', truncated: false });
    await terminals.releaseTerminal(id);
  });

  it('reports how its command ended, in the wait and with the output', async () => {
    const terminals = start();
    for (const [command, exitCode, signal] of [
      ['exit 3', 3, null],
      ['exit 255', 255, null],
      ['kill -TERM $$', null, 'SIGTERM'],
      ['kill -9 $$', null, 'SIGKILL'],
      ['kill -SEGV $$', null, 'SIGSEGV'],
    ] as const) {
      const id = await create(terminals, { command });
      expect(await terminals.waitForTerminalExit(id)).toEqual({ exitCode, signal });
      expect(await terminals.waitForTerminalExit(id)).toEqual({ exitCode, signal });
      expect((await terminals.terminalOutput(id)).exitStatus).toEqual({ exitCode, signal });
    }
  });

  it('has returned all output when the wait is over, each time', async () => {
    const terminals = start();
    const whole = Array.from({ length: 5000 }, (_, i) => `${i + 1}\n`).join('');
    for (let round = 0; round < 10; round++) {
      const { output } = await run(terminals, { command: 'seq', args: ['1', '5000'] });
      expect(output === whole).toBe(true);
    }
  });

  it('does not wait for background processes', async () => {
    const terminals = start();
    const pidFile = join(directory, 'pid');
    const command = `(trap "" HUP; echo $BASHPID > ${pidFile}; echo started; exec sleep 1000) & until test -s ${pidFile}; do :; done; echo hi`;
    const id = await create(terminals, { command });
    expect(await terminals.waitForTerminalExit(id)).toEqual({ exitCode: 0, signal: null });
    expect((await terminals.terminalOutput(id)).output).toContain('hi\n');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    expect(process.kill(pid, 0)).toBe(true);
    await terminals.releaseTerminal(id);
    await untilGone(pid);
  });

  describe('keeps of the output', () => {
    it('as much of the end as the agent requests and the client allows', async () => {
      const terminals = start({ defaultOutputBytes: 18, maxOutputBytes: 100 });
      const printf = { command: 'printf', args: ['0123456789abcdefghi\\r\\033[1mé\\n'] };
      const all = '0123456789abcdefghi\r\x1b[1mé\n';
      for (const [outputByteLimit, output] of [
        [30, all],
        [27, all],
        [26, all.slice(1)],
        [12, 'fghi\r\x1b[1mé\n'],
        [2, '\n'],
        [1, '\n'],
        [0, ''],
        [null, '9abcdefghi\r\x1b[1mé\n'],
        [2 ** 64, all],
      ] as const) {
        const truncated = output !== all;
        expect(await run(terminals, { ...printf, outputByteLimit })).toMatchObject({ output, truncated });
      }
    });

    it('only whole characters of four bytes', async () => {
      const terminals = start();
      for (const [outputByteLimit, output] of [
        [3, ''],
        [4, '😀'],
        [5, '😀'],
        [7, '😀'],
        [8, '🎉😀'],
      ] as const) {
        expect(await run(terminals, { command: "printf '🎉😀'", outputByteLimit })).toMatchObject({ output });
      }
    });

    it('characters that arrived in parts, and a replacement for bytes that are not text', async () => {
      const terminals = start();
      const pieces = ['\\342', '\\202', '\\254\\377z\\303'].map((piece) => `printf '${piece}'; read go`);
      const id = await create(terminals, { command: `stty -echo; printf x; read go; ${pieces.join('; ')}` });
      for (const [before, output] of ['x', 'x', 'x', 'x€\ufffdz'].entries()) {
        await eventually(async () => (await manager.get(id.terminalId)).totalBytes > before);
        expect((await terminals.terminalOutput(id)).output).toBe(output);
        await manager.write(id.terminalId, { keys: ['enter'] });
      }
      await terminals.waitForTerminalExit(id);
      expect((await terminals.terminalOutput(id)).output).toBe('x€\ufffdz\ufffd');
    });

    it('at most what the client allows, and reports the truncation from then on', async () => {
      const terminals = start({ maxOutputBytes: 1000 });
      const id = await create(terminals, { command: 'seq 1 10000; read line', outputByteLimit: 1e9 });
      await eventually(async () => (await terminals.terminalOutput(id)).output.endsWith('\n10000\n'));
      const { output, truncated } = await terminals.terminalOutput(id);
      expect({ bytes: output.length, truncated }).toEqual({ bytes: 1000, truncated: true });
      await terminals.releaseTerminal(id);
    });
  });

  it('returns rendered output, if requested', async () => {
    const terminals = start({ output: 'text' });
    const command = `printf '1%%\\r2%%\\r'; printf '\\033[31mred\\033[0m\\n'; seq 1 100; printf 'last é'`;
    const lines = Array.from({ length: 100 }, (_, i) => `${i + 1}\n`).join('');
    expect(await run(terminals, { command })).toMatchObject({ output: `red\n${lines}last é`, truncated: false });
    const limited = await run(terminals, { command, outputByteLimit: 13 });
    expect(limited).toMatchObject({ output: '9\n100\nlast é', truncated: true });
    expect(await run(terminals, { command, outputByteLimit: 0 })).toMatchObject({ output: '', truncated: true });
    expect(await run(terminals, { command: 'true' })).toMatchObject({ output: '', truncated: false });
  });

  it('returns the rendered output so far, repeatedly', async () => {
    const terminals = start({ output: 'text' });
    const command = 'stty -echo; for i in 1 2 3; do seq 1 40; printf "at $i"; read go; printf "\\r\\033[K"; done';
    const id = await create(terminals, { command });
    const forty = Array.from({ length: 40 }, (_, i) => `${i + 1}\n`).join('');
    for (const round of [1, 2, 3]) {
      await eventually(async () => (await terminals.terminalOutput(id)).output === `${forty.repeat(round)}at ${round}`);
      await terminals.terminalOutput(id);
      await manager.write(id.terminalId, { keys: ['enter'] });
    }
    await terminals.waitForTerminalExit(id);
    expect((await terminals.terminalOutput(id)).output.trimEnd()).toBe(forty.repeat(3).trimEnd());
  });

  describe('is killed', () => {
    it('with all processes that it started, by SIGKILL if necessary, and stays readable', async () => {
      const terminals = start({}, { killGraceMs: 100 });
      const command = `setsid bash -c '${STUBBORN}' & bash -c '${STUBBORN}' & ${STUBBORN}`;
      const id = await create(terminals, { command });
      await eventually(async () => (await terminals.terminalOutput(id)).output === 'ready\n'.repeat(3));
      const waiting = terminals.waitForTerminalExit(id);
      expect(await terminals.killTerminal(id)).toEqual({});
      const exitStatus = { exitCode: null, signal: 'SIGKILL' };
      expect(await waiting).toEqual(exitStatus);
      expect(await terminals.terminalOutput(id)).toEqual({ output: 'ready\n'.repeat(3), truncated: false, exitStatus });
      expect(await terminals.killTerminal(id)).toEqual({});
      expect(await processesOf(id)).toEqual([]);
      expect(await terminals.releaseTerminal(id)).toEqual({});
    });

    it('and keeps its last output, as the timeout recipe requires', async () => {
      const terminals = start();
      const id = await create(terminals, {
        command: `trap 'echo bye; exit 9' TERM; echo begun; while :; do read -t 0.05 line; done`,
      });
      await eventually(async () => (await terminals.terminalOutput(id)).output === 'begun\n');
      const timer = Promise.resolve('time is up');
      expect(await Promise.race([timer, terminals.waitForTerminalExit(id)])).toBe('time is up');
      await terminals.killTerminal(id);
      const exitStatus = { exitCode: 9, signal: null };
      expect(await terminals.terminalOutput(id)).toEqual({ output: 'begun\nbye\n', truncated: false, exitStatus });
      await terminals.releaseTerminal(id);
    });
  });

  describe('is released', () => {
    it('with its command, and its id is invalid from then on', async () => {
      const terminals = start();
      const id = await create(terminals, { command: 'echo up; exec sleep 1000' });
      await eventually(async () => (await terminals.terminalOutput(id)).output === 'up\n');
      const { pid } = await manager.get(terminals.idOf(id.terminalId)!);
      const waiting = terminals.waitForTerminalExit(id);
      const released = terminals.releaseTerminal(id);
      await expect(terminals.terminalOutput(id)).rejects.toEqual(
        error('TERMINAL_NOT_FOUND', new RegExp(id.terminalId)),
      );
      expect(await released).toEqual({});
      expect(await waiting).toEqual({ exitCode: null, signal: 'SIGTERM' });
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
      await expect(terminals.waitForTerminalExit(id)).rejects.toEqual(error('TERMINAL_NOT_FOUND'));
      await expect(terminals.killTerminal(id)).rejects.toEqual(error('TERMINAL_NOT_FOUND'));
      expect(terminals.idOf(id.terminalId)).toBeUndefined();
      expect(await manager.list()).toEqual([]);
      expect(await terminals.releaseTerminal(id)).toEqual({});
    });

    it('twice at once without harm', async () => {
      const terminals = start();
      const id = await create(terminals, { command: 'sleep 1000' });
      expect(await Promise.all([terminals.releaseTerminal(id), terminals.releaseTerminal(id)])).toEqual([{}, {}]);
      expect(await manager.list()).toEqual([]);
    });
  });

  describe('is refused', () => {
    it('before it is created, if the request is invalid', async () => {
      const terminals = start();
      for (const [field, asked] of [
        ['command', { command: 'no-such-program', args: ['-x'] }],
        ['command', { command: '' }],
        ['cwd', { command: 'true', cwd: '/no/such/directory' }],
        ['cwd', { command: 'true', cwd: 'src' }],
        ['outputByteLimit', { command: 'true', outputByteLimit: -1 }],
        ['outputByteLimit', { command: 'true', outputByteLimit: 1.5 }],
        ['tenacitty.cols', { command: 'true', _meta: { tenacitty: { cols: 0 } } }],
        ['env', { command: 'true', env: [{ name: '', value: 'x' }] }],
      ] satisfies [field: string, asked: Asked][]) {
        await expect(create(terminals, asked)).rejects.toEqual(error('INVALID_INPUT', new RegExp(`^${field}`)));
      }
      expect(await manager.list()).toEqual([]);
    });

    it('to another session, and if its id is unknown', async () => {
      const terminals = start();
      const { terminalId } = await create(terminals, { command: 'sleep 1000' });
      const foreign = { sessionId: 'sess_2', terminalId };
      const isRefused = error('TERMINAL_NOT_FOUND', /another session/);
      await expect(terminals.terminalOutput(foreign)).rejects.toEqual(isRefused);
      await expect(terminals.waitForTerminalExit(foreign)).rejects.toEqual(isRefused);
      await expect(terminals.killTerminal(foreign)).rejects.toEqual(isRefused);
      await expect(terminals.releaseTerminal(foreign)).rejects.toEqual(isRefused);
      expect(await manager.get(terminalId)).toMatchObject({ status: 'active' });
      const unknown = { sessionId: SESSION, terminalId: 'term_unknown' };
      await expect(terminals.terminalOutput(unknown)).rejects.toEqual(error('TERMINAL_NOT_FOUND', /term_unknown/));
      await terminals.close();
    });
  });

  describe('is cancelled', () => {
    const reason = new Error('the agent has lost interest');

    it('in a wait, and its command continues', async () => {
      const terminals = start();
      const id = await create(terminals, { command: 'read line; echo "got $line"' });
      const cancelled = new AbortController();
      const waiting = terminals.waitForTerminalExit(id, cancelled.signal);
      cancelled.abort(reason);
      await expect(waiting).rejects.toBe(reason);
      await expect(terminals.waitForTerminalExit(id, cancelled.signal)).rejects.toBe(reason);
      await manager.write(id.terminalId, { input: 'it' });
      expect(await terminals.waitForTerminalExit(id)).toEqual({ exitCode: 0, signal: null });
    });

    it('in a creation at any moment, and leaves nothing', async () => {
      const terminals = start();
      // The first command starts the host process.
      await run(terminals, { command: 'true' });
      for (let turns = 0; turns < 25; turns++) {
        const cancelled = new AbortController();
        const creating = create(terminals, { command: 'sleep 1000' }, cancelled.signal);
        void turnsLater(turns).then(() => cancelled.abort(reason));
        const created = await creating.catch((thrown: unknown) => thrown);
        if (created === reason) continue;
        await terminals.releaseTerminal(created as TerminalParams);
      }
      expect((await manager.list()).filter(({ status }) => status === 'active')).toEqual([]);
      await terminals.close();
      expect(await manager.list()).toEqual([]);
    });
  });

  it('is ended with its session, and with the connection', async () => {
    const terminals = start({ cwd: '/' });
    const mine = await create(terminals, { command: 'sleep 1000' });
    const other = await create(terminals, { command: 'sleep 1000', sessionId: 'sess_2' });
    const waiting = terminals.waitForTerminalExit(mine);
    const late = create(terminals, { command: 'sleep 1000' }).catch((thrown: unknown) => thrown);
    await terminals.closeSession(SESSION);
    expect(await waiting).toEqual({ exitCode: null, signal: 'SIGTERM' });
    expect(await late).toEqual(error('SHUTTING_DOWN'));
    expect((await manager.list()).map(({ id }) => id)).toEqual([other.terminalId]);
    await Promise.all([terminals.close(), terminals.close()]);
    expect(await manager.list()).toEqual([]);
    await expect(create(terminals, { command: 'true' })).rejects.toEqual(error('SHUTTING_DOWN'));
  });

  it('that is removed by another program has ended with an unknown result', async () => {
    const terminals = start();
    const id = await create(terminals, { command: 'echo here; exec sleep 1000' });
    await eventually(async () => (await terminals.terminalOutput(id)).output === 'here\n');
    const waiting = terminals.waitForTerminalExit(id);
    await manager.remove(id.terminalId);
    expect((await waiting).exitCode).toBeNull();
    expect(await terminals.terminalOutput(id)).toMatchObject({ output: 'here\n' });
    expect(await terminals.killTerminal(id)).toEqual({});
    expect(await terminals.releaseTerminal(id)).toEqual({});
  });
});

type Asked = Omit<CreateTerminalParams, 'sessionId'> & { readonly sessionId?: string };

async function create(terminals: AcpTerminals, asked: Asked, signal?: AbortSignal): Promise<TerminalParams> {
  const { sessionId = SESSION } = asked;
  return { sessionId, ...(await terminals.createTerminal({ ...asked, sessionId }, signal)) };
}

/** Makes all requests for a command that ends. */
async function run(terminals: AcpTerminals, asked: Asked): Promise<TerminalOutput> {
  const id = await create(terminals, asked);
  await terminals.waitForTerminalExit(id);
  const output = await terminals.terminalOutput(id);
  await terminals.releaseTerminal(id);
  return output;
}

/** The processes of a terminal. */
async function processesOf({ terminalId }: TerminalParams): Promise<readonly number[]> {
  const { byTerminalId } = await takeSnapshot();
  return (byTerminalId.get(terminalId) ?? []).filter(({ isGone }) => !isGone).map(({ pid }) => pid);
}

async function turnsLater(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
