/** Tests agents from npm, started by an editor that serves terminals through the library. */
import { AcpTerminals } from '../../src/acp.js';
import { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import { HOST_MAIN } from '../host/host-under-test.js';
import { AgentClient } from './agent-client.js';
import { agentsWork } from './real-agents.js';

const managers: RemoteTerminalManager[] = [];
afterAll(() => Promise.all(managers.map((manager) => manager.close())));

agentsWork('in terminals of an editor that uses the library', {
  asksEditor: true,
  start: ({ env }, { command }) => {
    const places = { dataDir: env['TENACITTY_DATA_DIR']!, runtimeDir: env['TENACITTY_RUNTIME_DIR']! };
    const manager = new RemoteTerminalManager({ ...places, hostProgram: [HOST_MAIN] });
    managers.push(manager);
    return AgentClient.start(command, { terminals: new AcpTerminals({ manager }) });
  },
});
