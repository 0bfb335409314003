/** Tests that waits for the end of a command are answered after the kill that ended it, however long the kill takes. */
import { AcpTerminals } from '../../src/acp.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import { startEngine, stopEngines } from '../engine/engine-under-test.js';

afterEach(stopEngines);

/** The same manager, but its kill returns long after the end of the program is known. */
function slowToKill(manager: TerminalManager): TerminalManager {
  const kill: TerminalManager['kill'] = async (id, request) => {
    const killed = await manager.kill(id, request);
    const over = manager.subscribe(id, 0);
    for await (const event of await over) if (event.type === 'exit') break;
    for (let turns = 0; turns < 100; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    return killed;
  };
  return new Proxy(manager, {
    get: (target, name) => (name === 'kill' ? kill : (Reflect.get(target, name) as () => unknown).bind(target)),
  });
}

it.each([
  ['immediately', (manager: TerminalManager) => manager],
  ['slowly', slowToKill],
])('a kill that is done %s is answered before the wait', async (_how, changed) => {
  const terminals = new AcpTerminals({ manager: changed(startEngine()) });
  const asked = { sessionId: 'session', ...(await terminals.createTerminal({ sessionId: 'session', command: 'cat' })) };
  const answered: string[] = [];
  const waiting = terminals.waitForTerminalExit(asked).then(() => answered.push('wait'));
  await terminals.killTerminal(asked).then(() => answered.push('kill'));
  await waiting;
  expect(answered).toEqual(['kill', 'wait']);
});
