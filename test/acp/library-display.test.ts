/** Tests further options of an agent's terminals: a display, a policy, labels. */
import { AcpTerminals } from '../../src/acp.js';
import type { CommandPolicy, CommandRequest, RefusedCommand, TerminalDisplay } from '../../src/acp.js';
import { TerminalError } from '../../src/errors.js';
import { error } from '../conformance/error.js';
import { MANAGERS, stopEngines } from '../engine/engine-under-test.js';
import { eventually } from '../eventually.js';

const SESSION = { sessionId: 'sess_1' };

afterEach(stopEngines);

/** Records all events in order, with adjacent output joined. */
class Diary implements TerminalDisplay {
  readonly entries: unknown[][] = [];
  started: TerminalDisplay['started'] = (terminal) => void this.entries.push(['started', terminal]);
  ended: TerminalDisplay['ended'] = (id, exit) => void this.entries.push(['ended', id, exit]);

  output(id: string, data: Uint8Array): void {
    const last = this.entries.at(-1);
    const text = Buffer.from(data).toString('latin1');
    if (last?.[0] === 'output' && last[1] === id) last[2] = `${String(last[2])}${text}`;
    else this.entries.push(['output', id, text]);
  }
}

describe.each(MANAGERS)('terminals held %s', (_where, startManager) => {
  it('are displayed from their start to their end, with the exact bytes', async () => {
    const display = new Diary();
    const terminals = new AcpTerminals({ manager: startManager(), display, cwd: '/' });
    const command = `(trap "" HUP; echo early; read go < /dev/tty; echo late) & printf 'a\\033[1m\\303'; exit 2`;
    const { terminalId } = await terminals.createTerminal({ ...SESSION, command, outputByteLimit: 1 });
    await terminals.waitForTerminalExit({ ...SESSION, terminalId });
    await terminals.releaseTerminal({ ...SESSION, terminalId });
    const [started, output, ended, ...rest] = display.entries;
    expect([started, ended, rest]).toEqual([
      ['started', { ...SESSION, terminalId, command, cwd: '/' }],
      ['ended', terminalId, { exitCode: 2, signal: null }],
      [],
    ]);
    expect(output).toEqual(['output', terminalId, expect.stringContaining('a\x1b[1m\xc3')]);
  });

  it('are displayed with their arguments as a person would type them', async () => {
    const display = new Diary();
    const terminals = new AcpTerminals({ manager: startManager(), display, cwd: '/' });
    await terminals.createTerminal({ ...SESSION, command: 'printf', args: ['%s', "it's", 'a-b', '$x'] });
    expect(display.entries[0]).toMatchObject(['started', { command: `printf %s 'it'\\''s' a-b '$x'` }]);
    await terminals.close();
    expect(display.entries.at(-1)![0]).toBe('ended');
  });

  it('ignore errors of the display', async () => {
    const fail = (): never => {
      throw new Error('no more paper');
    };
    const display = { started: fail, output: fail, ended: fail };
    const terminals = new AcpTerminals({ manager: startManager(), display });
    const { terminalId } = await terminals.createTerminal({ ...SESSION, command: 'echo well' });
    expect(await terminals.waitForTerminalExit({ ...SESSION, terminalId })).toEqual({ exitCode: 0, signal: null });
    expect(await terminals.terminalOutput({ ...SESSION, terminalId })).toMatchObject({ output: 'well\n' });
    await terminals.close();
  });

  it('run what a policy allows, with the filtered environment, within its time limit', async () => {
    const asked: CommandRequest[] = [];
    const policy: CommandPolicy = {
      permit: async (request) => {
        asked.push(request);
        if (request.command === 'forbidden') throw new TerminalError('INVALID_INPUT', 'not here');
        return { env: { KEPT: 'yes' }, timeLimitMs: request.command.includes('sleep') ? 1 : null };
      },
    };
    const manager = startManager();
    const refused: RefusedCommand[] = [];
    const display = {
      started: () => {},
      output: () => {},
      ended: () => {},
      refused: (it: RefusedCommand) => refused.push(it),
    };
    const terminals = new AcpTerminals({ manager, policy, cwd: '/', display });
    const env = [
      { name: 'KEPT', value: 'no' },
      { name: 'TAKEN', value: 'yes' },
    ];
    const line = await terminals.createTerminal({ ...SESSION, command: 'echo "$KEPT,$TAKEN"', env, cwd: '/usr' });
    await terminals.waitForTerminalExit({ ...SESSION, ...line });
    expect((await terminals.terminalOutput({ ...SESSION, ...line })).output).toBe('yes,\n');
    const args = ['-x'];
    const forbidden = terminals.createTerminal({ ...SESSION, command: 'forbidden', args });
    await expect(forbidden).rejects.toEqual(error('INVALID_INPUT', /not here/));
    expect(refused).toEqual([{ ...SESSION, command: 'forbidden -x', cwd: '/', reason: 'not here' }]);
    const long = await terminals.createTerminal({ ...SESSION, command: 'exec sleep 1000' });
    const exit = await terminals.waitForTerminalExit({ ...SESSION, ...long });
    expect(exit).toEqual({ exitCode: null, signal: 'SIGTERM', _meta: { tenacitty: { timeLimitMs: 1 } } });
    expect(asked.slice(0, 2)).toEqual([
      { door: 'acp', command: 'echo "$KEPT,$TAKEN"', args: null, cwd: '/usr', env: { KEPT: 'no', TAKEN: 'yes' } },
      { door: 'acp', command: 'forbidden', args, cwd: '/', env: {} },
    ]);
    await terminals.close();
    expect(await manager.list()).toEqual([]);
  });

  it('start nothing if the request is cancelled while the policy decides', async () => {
    const manager = startManager();
    let isAsked = false;
    const policy: CommandPolicy = {
      permit: (_request, signal) =>
        new Promise((_resolve, reject) => {
          isAsked = true;
          signal!.addEventListener('abort', () => reject(signal!.reason as Error));
        }),
    };
    const terminals = new AcpTerminals({ manager, policy });
    const creating = terminals.createTerminal({ ...SESSION, command: 'sleep 1000' }).catch((thrown: unknown) => thrown);
    await eventually(() => isAsked);
    await terminals.close();
    expect(await creating).toEqual(error('SHUTTING_DOWN'));
    expect(await manager.list()).toEqual([]);
  });

  it('have the given labels, and a label for their owner', async () => {
    const manager = startManager();
    const terminals = new AcpTerminals({ manager, labels: { project: 'x' } });
    const { terminalId } = await terminals.createTerminal({ ...SESSION, command: 'sleep 1000' });
    expect((await manager.get(terminals.idOf(terminalId)!)).labels).toMatchObject({ project: 'x', door: 'acp' });
    expect((await manager.list({ labels: { project: 'x' } })).map(({ id }) => id)).toEqual([terminalId]);
    await terminals.close();
  });
});
