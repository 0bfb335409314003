/** Serves one client on stdin and stdout, in whichever revision of the protocol it speaks. It knows no action. */
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from './server.js';
import type { Workspace } from './workspace.js';

/**
 * Serves until stdin ends.
 *
 * @param onFault - Is told of faults of ours and of messages that are none.
 */
export async function serveOnStdio(workspace: Workspace, onFault: (error: unknown) => void): Promise<void> {
  const transport = new StdioServerTransport();
  await new Promise<void>((resolve) => {
    serveStdio(() => createMcpServer(workspace, { onFault }), { transport, onerror: onFault });
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}
