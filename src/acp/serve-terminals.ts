/** Serves the five terminal methods on a client that was built with the SDK: passes calls on and maps errors. */
import { methods } from '@agentclientprotocol/sdk';
import type { ClientApp } from '@agentclientprotocol/sdk';
import { asRequestError } from './request-error.js';
import type { CreateTerminalParams, TerminalParams } from './requests.js';
import type { AcpTerminals } from './terminals.js';

/**
 * Serves `terminals` to the agent that `app` is connected to, and closes them when the connection is lost. The caller
 * must announce `clientCapabilities.terminal`, call `openSession` for each session, and connect `app` only once.
 */
export function serveTerminals(app: ClientApp, terminals: AcpTerminals): ClientApp {
  const { create, output, waitForExit, kill, release } = methods.client.terminal;
  return app
    .onConnect(({ closed }) => void closed.then(() => terminals.close()))
    .onRequest(create, asGiven<CreateTerminalParams>, ({ params, signal }) =>
      answered(terminals.createTerminal(params, signal)),
    )
    .onRequest(output, asGiven<TerminalParams>, ({ params }) => answered(terminals.terminalOutput(params)))
    .onRequest(waitForExit, asGiven<TerminalParams>, ({ params, signal }) =>
      answered(terminals.waitForTerminalExit(params, signal)),
    )
    .onRequest(kill, asGiven<TerminalParams>, ({ params }) => answered(terminals.killTerminal(params)))
    .onRequest(release, asGiven<TerminalParams>, ({ params }) => answered(terminals.releaseTerminal(params)));
}

/**
 * Passes params on without checking them. They are validated where they are used, so that all callers receive the same
 * errors.
 */
function asGiven<Params>(params: unknown): Params {
  return params as Params;
}

async function answered<Answer>(call: Promise<Answer>): Promise<Answer> {
  return call.catch((error: unknown) => {
    throw asRequestError(error);
  });
}
