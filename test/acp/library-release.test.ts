/**
 * Tests how terminals end and what their ids mean afterwards: released individually, with their session, or never
 * existing.
 */
import { AcpTerminals } from '../../src/acp.js';
import type { TerminalParams } from '../../src/acp.js';
import { error } from '../conformance/error.js';
import { MANAGERS, stopEngines } from '../engine/engine-under-test.js';
import { eventually } from '../eventually.js';

afterEach(stopEngines);

const NOT_FOUND = error('TERMINAL_NOT_FOUND', /not found: it never existed/);
const ANOTHERS = error('TERMINAL_NOT_FOUND', /another session/);

describe.each(MANAGERS)('with terminals held %s', (_where, startManager) => {
  let terminals: AcpTerminals;
  beforeEach(() => {
    terminals = new AcpTerminals({ manager: startManager() });
    for (const sessionId of ['one', 'two']) terminals.openSession(sessionId, { cwd: '/' });
  });
  afterEach(() => terminals.close());

  async function create(sessionId: string): Promise<TerminalParams> {
    return { sessionId, ...(await terminals.createTerminal({ sessionId, command: 'sleep 1000' })) };
  }

  it('an unknown terminal cannot be released', async () => {
    const terminalId = 'never';
    for (const sessionId of ['one', 'no session']) {
      await expect(terminals.releaseTerminal({ sessionId, terminalId })).rejects.toEqual(NOT_FOUND);
    }
    await terminals.close();
    await expect(terminals.releaseTerminal({ sessionId: 'one', terminalId })).rejects.toEqual(NOT_FOUND);
  });

  it('a released terminal can be released again by its own session and by no other', async () => {
    const id = await create('one');
    const foreign = { ...id, sessionId: 'two' };
    await expect(terminals.releaseTerminal(foreign)).rejects.toEqual(ANOTHERS);
    for (const _time of [1, 2, 3]) expect(await terminals.releaseTerminal(id)).toEqual({});
    await expect(terminals.releaseTerminal(foreign)).rejects.toEqual(ANOTHERS);
  });

  it.each([
    ['SIGTERM', ''],
    ['SIGHUP', `trap '' TERM;`],
    ['SIGKILL', `trap '' TERM HUP;`],
  ])('a command is ended by %s if it begins with "%s"', async (signal, trap) => {
    const asked = { sessionId: 'one', command: `${trap} echo ready; sleep 1000; sleep 1000` };
    const id = { sessionId: 'one', ...(await terminals.createTerminal(asked)) };
    await eventually(async () => (await terminals.terminalOutput(id)).output === 'ready\n');
    await terminals.killTerminal(id);
    expect(await terminals.waitForTerminalExit(id)).toEqual({ exitCode: null, signal });
  });

  it('a terminal can be released after its session has ended or was opened again, or the connection was closed', async () => {
    const id = await create('one');
    await terminals.closeSession('one');
    expect(await terminals.releaseTerminal(id)).toEqual({});
    terminals.openSession('one', { cwd: '/' });
    expect(await terminals.releaseTerminal(id)).toEqual({});
    await expect(terminals.terminalOutput(id)).rejects.toEqual(NOT_FOUND);
    await terminals.close();
    expect(await terminals.releaseTerminal(id)).toEqual({});
  });
});
