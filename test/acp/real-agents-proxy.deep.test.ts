/** Tests agents from npm behind `tenacitty acp proxy`, started by an editor without terminals. */
import { MAIN } from '../cli/place.js';
import { AgentClient } from './agent-client.js';
import { agentsWork } from './real-agents.js';

agentsWork('behind the proxy, of an editor without terminals', {
  asksEditor: false,
  start: ({ env }, { command }) =>
    AgentClient.start([process.execPath, MAIN, 'acp', 'proxy', '--', ...command], { env }),
});
