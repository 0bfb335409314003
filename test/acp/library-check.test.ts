/** Tests that the library's terminals pass all cases of acp-check, wherever they are held. */
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type { ClientUnderTest } from '../../packages/acp-check/test/checked.js';
import { checked } from '../../packages/acp-check/test/checked.js';
import { CASE_GROUPS } from '../../packages/acp-check/src/cases.js';
import { serveTerminals } from '../../src/acp/serve-terminals.js';
import { AcpTerminals } from '../../src/acp/terminals.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import { MANAGERS, stopEngines } from '../engine/engine-under-test.js';

const PATIENCE_MS = 20_000;
/** The other cases are about a client program; held-to-check.deep.test.ts covers those. */
const JUDGED = CASE_GROUPS.map(({ title, cases }) => ({
  title,
  cases: cases.filter(({ moment }) => moment !== 'after' && moment !== 'lost'),
})).filter(({ cases }) => cases.length > 0);

afterEach(stopEngines);

/** One turn of a client made with the SDK and the library's terminals. */
function clientWith(manager: TerminalManager): ClientUnderTest {
  return async (input, output, cwd) => {
    const terminals = new AcpTerminals({ manager });
    const app = serveTerminals(client({ name: 'library' }), terminals);
    app.onNotification(methods.client.session.update, () => {});
    const connection = app.connect(ndJsonStream(Writable.toWeb(output), Readable.toWeb(input)));
    const { agent } = connection;
    const capabilities = { protocolVersion: PROTOCOL_VERSION, clientCapabilities: { terminal: true } };
    await agent.request(methods.agent.initialize, capabilities);
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
    terminals.openSession(sessionId, { cwd });
    await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: 'go' }] });
    connection.close();
    await terminals.close();
  };
}

describe.each(MANAGERS)('terminals %s', (_where, start) => {
  it.each(JUDGED)('satisfy the rules under $title', async ({ cases }) => {
    const { verdicts } = await checked(clientWith(start()), cases, PATIENCE_MS);
    expect(verdicts.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
    expect(verdicts.map(({ name }) => name)).toEqual(cases.map(({ name }) => name));
  });
});
