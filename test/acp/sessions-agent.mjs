/**
 * An agent on stdin and stdout that has sessions: new, loaded, resumed, forked, closed ones. It takes a prompt for a
 * command, runs it in a terminal of the client without a word of where, and says what came of it; one behind `keep `
 * it leaves running. It knows the sessions it was given as arguments from before, and what it loads it runs `pwd` in
 * first.
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
    // As agents do that find out while they load it that they cannot.
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
