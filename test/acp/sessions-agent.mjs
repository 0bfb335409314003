/**
 * An agent on stdin and stdout that supports sessions: new, loaded, resumed, forked and closed ones. It runs its prompt
 * as a command in a terminal of the client, without a directory, and reports the result; a command after `keep ` is
 * left running. The sessions given as arguments exist from the start. Loading a session first runs `pwd` in it.
 */
import { Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';

const known = new Set(process.argv.slice(2));
let count = 0;

function begin() {
  const sessionId = `session-${++count}`;
  known.add(sessionId);
  return { sessionId };
}

function checkKnown({ sessionId }) {
  if (!known.has(sessionId)) throw RequestError.sessionNotFound(sessionId);
}

const say = (client, sessionId, text) =>
  client.notify(methods.client.session.update, {
    sessionId,
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
  });

async function run(client, sessionId, command) {
  const terminal = await client.createTerminal({ sessionId, command });
  const { exitCode } = await terminal.waitForExit();
  const { output } = await terminal.currentOutput();
  await terminal.release();
  await say(client, sessionId, `${exitCode}: ${output}`);
}

async function keep(client, sessionId, command) {
  const terminal = await client.createTerminal({ sessionId, command });
  await say(client, sessionId, terminal.id);
  void terminal.waitForExit().then(({ exitCode }) => say(client, sessionId, `${terminal.id} ended with ${exitCode}`));
}

agent({ name: 'sessions' })
  .onRequest(methods.agent.initialize, ({ params }) => ({
    protocolVersion: params.protocolVersion,
    agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {}, close: {} } },
  }))
  .onRequest(methods.agent.session.new, begin)
  .onRequest(
    'session/fork',
    (params) => params,
    ({ params }) => {
      checkKnown(params);
      return begin();
    },
  )
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    // Like agents that find out during loading that they cannot load the session.
    await run(client, params.sessionId, 'pwd');
    checkKnown(params);
    return {};
  })
  .onRequest(methods.agent.session.resume, ({ params }) => {
    checkKnown(params);
    return {};
  })
  .onRequest(methods.agent.session.close, () => ({}))
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const [{ text }] = prompt;
    const [, isKept, command] = /^(keep )?(.*)$/s.exec(text);
    await (isKept ? keep : run)(client, sessionId, command).catch((error) => say(client, sessionId, error.message));
    return { stopReason: 'end_turn' };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
