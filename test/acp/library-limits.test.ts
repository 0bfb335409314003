/**
 * Tests how much output is kept for an agent and how omissions are reported: with each setting, and in repeated reads.
 */
import { AcpTerminals } from '../../src/acp.js';
import type { AcpTerminalsOptions, TerminalParams } from '../../src/acp.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import { error } from '../conformance/error.js';
import { MANAGERS, startEngine, stopEngines } from '../engine/engine-under-test.js';
import { eventually } from '../eventually.js';

const SESSION = { sessionId: 'sess_1' };

afterEach(stopEngines);

async function create(terminals: AcpTerminals, command: string, outputByteLimit?: number): Promise<TerminalParams> {
  return { ...SESSION, ...(await terminals.createTerminal({ ...SESSION, command, outputByteLimit })) };
}

describe.each(['maxOutputBytes', 'defaultOutputBytes'] as const)('%s', (field) => {
  it.each([NaN, -1, 1.5, Infinity, '9', null])('is refused as %p', (given) => {
    const options = { manager: startEngine(), [field]: given } as unknown as AcpTerminalsOptions;
    const words = new RegExp(`^${field}: expected .*, given ${typeof given === 'string' ? `"${given}"` : given}$`);
    const refused = error('INVALID_INPUT', words) as Error;
    expect(() => new AcpTerminals(options)).toThrow(refused);
  });

  it('may be omitted', async () => {
    const terminals = new AcpTerminals({ manager: startEngine(), [field]: 0 });
    const id = await create(terminals, 'echo much');
    await terminals.waitForTerminalExit(id);
    expect(await terminals.terminalOutput(id)).toMatchObject({ output: '', truncated: true });
    await terminals.close();
  });
});

it('refuses a limit larger than one answer can hold', () => {
  const options = { manager: startEngine(), maxOutputBytes: (5 << 20) + 1 };
  expect(() => new AcpTerminals(options)).toThrow(error('INVALID_INPUT', /^maxOutputBytes: /) as Error);
});

describe.each(MANAGERS)('the rendered output of a terminal held %s', (_where, startManager) => {
  it('stays cut off even if there is less of it later', async () => {
    const manager = startManager();
    const terminals = new AcpTerminals({ manager, output: 'text' });
    const id = await create(terminals, `stty -echo; printf %050d 0; read go; printf '\\r\\033[2Kok'; read go`, 20);
    await eventually(async () => (await terminals.terminalOutput(id)).output.length === 20);
    expect(await terminals.terminalOutput(id)).toEqual({ output: '0'.repeat(20), truncated: true });
    await manager.write(id.terminalId, { keys: ['enter'] });
    await eventually(async () => (await terminals.terminalOutput(id)).output === 'ok');
    expect(await terminals.terminalOutput(id)).toEqual({ output: 'ok', truncated: true });
    await terminals.releaseTerminal(id);
  });

  it('reports a failed read, and the next read returns the present output', async () => {
    const manager = startManager();
    let failures = 0;
    const terminals = new AcpTerminals({ manager: failing(manager, () => failures-- > 0), output: 'text' });
    const id = await create(terminals, `stty -echo; printf one; read go; printf two; read go`);
    await eventually(async () => (await terminals.terminalOutput(id)).output === 'one');
    await manager.write(id.terminalId, { keys: ['enter'] });
    await eventually(async () => (await manager.screen(id.terminalId)).lines[0] === 'onetwo');
    failures = 1;
    await eventually(async () => {
      const read = await terminals.terminalOutput(id).catch((thrown: Error) => thrown);
      return read instanceof Error && read.message === 'a hiccup';
    });
    expect((await terminals.terminalOutput(id)).output).toBe('onetwo');
    await terminals.releaseTerminal(id);
  });

  it('contains what was read before, for a terminal that is gone', async () => {
    const manager = startManager();
    const terminals = new AcpTerminals({ manager, output: 'text' });
    const id = await create(terminals, 'printf here; exec sleep 1000');
    await eventually(async () => (await terminals.terminalOutput(id)).output === 'here');
    await manager.remove(id.terminalId);
    expect((await terminals.waitForTerminalExit(id)).exitCode).toBeNull();
    expect(await terminals.terminalOutput(id)).toMatchObject({ output: 'here', truncated: false });
  });
});

/** The manager with reads that fail as long as `isFailing` returns true. */
function failing(manager: TerminalManager, isFailing: () => boolean): TerminalManager {
  return new Proxy(manager, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (name === 'read' && isFailing()) return Promise.reject(new Error('a hiccup'));
        return (value as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}
