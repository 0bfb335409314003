/** Serves one client on stdin and stdout, in either generation of the protocol. */
import type { JSONRPCMessage, McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { CreateAnswerLink } from '../access/answer-links.js';
import { localPrincipal } from '../access/principal.js';
import { ListChanges } from './resources/list-changes.js';
import { parseListenRequest } from './resources/listen-request.js';
import { PasswordQuestions } from './secrets/password-questions.js';
import { ResourceUpdates } from './resources/updates.js';
import { createMcpServer } from './server.js';
import type { Workspace } from './workspace.js';

/**
 * Serves the client until stdin ends.
 *
 * @param onFault - Called for internal errors and for invalid messages.
 * @param createLink - Creates links for passwords.
 */
export async function serveOnStdio(
  workspace: Workspace,
  onFault: (error: unknown) => void,
  createLink: CreateAnswerLink,
): Promise<void> {
  const transport = new StdioServerTransport();
  await new Promise<void>((resolve) => {
    let current: McpServer | undefined;
    const notify = (uri: string) => void current?.server.sendResourceUpdated({ uri }).catch(() => {});
    const updates = new ResourceUpdates(workspace, notify);
    const list = new ListChanges(workspace, () => void current?.server.sendResourceListChanged().catch(() => {}));
    const person = new PasswordQuestions(createLink);
    const leave = workspace.presence.hold();
    serveStdio(
      ({ era }) => {
        const watching = era === 'legacy' ? 'requests' : 'listening';
        current = createMcpServer(workspace, { principalOf: localPrincipal, onFault, watching, person });
        return current;
      },
      { transport, onerror: onFault },
    );
    seeListening(transport, { updates, list }, onFault);
    const { onclose } = transport;
    transport.onclose = () => {
      leave();
      updates.close();
      list.close();
      onclose?.();
      resolve();
    };
  });
}

interface Watched {
  readonly updates: ResourceUpdates;
  readonly list: ListChanges;
}

/**
 * Observes what a client listens to before the SDK, which responds to listening requests itself, acknowledges the
 * request.
 */
function seeListening(transport: StdioServerTransport, { updates, list }: Watched, onFault: (error: unknown) => void) {
  const listening = new Map<unknown, (() => void)[]>();
  const { onmessage } = transport;
  let seen = Promise.resolve();
  transport.onmessage = (message: JSONRPCMessage) => {
    seen = seen.then(() => see(message)).catch(onFault);
    void seen.then(() => onmessage?.(message));
  };
  async function see(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) return;
    if ('id' in message) {
      const { uris, toList } = parseListenRequest(message);
      const ends = [...(uris.length > 0 ? [await updates.watch(uris)] : []), ...(toList ? [await list.watch()] : [])];
      if (ends.length > 0) listening.set(message.id, ends);
    } else if (message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'];
      for (const end of listening.get(id) ?? []) end();
      listening.delete(id);
    }
  }
}
