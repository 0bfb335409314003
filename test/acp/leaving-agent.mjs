/**
 * An agent that starts a command with a background process; both ignore all signals that can be ignored. When the
 * command runs, the agent reports this on stderr and acts according to LEAVE: it `dies`, `errors`, or stays (any other
 * value).
 */
import { Readable, Writable } from 'node:stream';
import { agent, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';

const COMMAND = "trap '' HUP TERM; setsid sleep 311 & echo running; sleep 312";

agent({ name: 'leaving' })
  .onRequest('initialize', () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }))
  .onRequest('session/new', () => ({ sessionId: 'sess_1' }))
  .onRequest('session/prompt', async ({ params: { sessionId }, client }) => {
    const terminal = await client.createTerminal({ sessionId, command: COMMAND });
    while (!(await terminal.currentOutput()).output.includes('running'));
    console.error('running');
    if (process.env.LEAVE === 'dies') process.exit(1);
    if (process.env.LEAVE === 'errors') throw RequestError.internalError({}, 'it went wrong');
    return terminal.waitForExit().then(() => ({ stopReason: 'end_turn' }));
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
