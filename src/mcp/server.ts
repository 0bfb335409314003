/**
 * Makes the MCP server of one workspace, for whatever transport: called once for each connection on stdio, once for each
 * request over HTTP, so it is kept small. It knows no action.
 */
import { McpServer } from '@modelcontextprotocol/server';
import type { ServerCapabilities, ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { VERSION } from '../version.js';
import { rendered } from './answer.js';
import { registerGuide } from './guide.js';
import { ListChanges } from './resources/list-changes.js';
import { canShowLinks } from './secrets/person.js';
import type { Person } from './secrets/person.js';
import type { Caller } from './progress.js';
import { ResourceUpdates } from './resources/updates.js';
import { registerResources } from './resources/resources.js';
import {
  ARGUMENTS_JSON_SCHEMA,
  callTerminal,
  INSTRUCTIONS,
  TOOL_ANNOTATIONS,
  TOOL_DESCRIPTION,
  TOOL_NAME,
} from './terminal-tool.js';
import type { Workspace } from './workspace.js';

/** Takes whatever is given: the tool checks it itself, and says in its own words what is wrong. */
const UNCHECKED: StandardSchemaWithJSON = {
  '~standard': {
    version: 1,
    vendor: 'tenacitty',
    validate: (value) => ({ value }),
    jsonSchema: { input: () => ARGUMENTS_JSON_SCHEMA, output: () => ARGUMENTS_JSON_SCHEMA },
  },
};

export interface ServingOptions {
  /** Told of faults of ours. */
  readonly onFault: (error: unknown) => void;
  /** Gives the signal that aborts when a call that waits is to be answered with what there is. */
  readonly ending?: (context: ServerContext) => AbortSignal | undefined;
  /**
   * How clients say which resources they watch: each by a request of its own, or by listening, which is not this
   * server's matter. Default: they cannot.
   */
  readonly watching?: 'requests' | 'listening';
  /** Who is asked for passwords, where the client can show links to this machine. Default: nobody. */
  readonly person?: Person;
}

export function createMcpServer(workspace: Workspace, options: ServingOptions): McpServer {
  const { onFault, ending, watching, person } = options;
  const server = new McpServer(
    { name: 'tenacitty', version: VERSION },
    { capabilities: capabilities(watching), instructions: INSTRUCTIONS },
  );
  const config = { description: TOOL_DESCRIPTION, inputSchema: UNCHECKED, annotations: TOOL_ANNOTATIONS };
  server.registerTool(TOOL_NAME, config, async (args, context) => {
    const base = { workspace, caller: callerOf(context, ending?.(context)) };
    if (person !== undefined && canShowLinks(server, context)) return person.call(base, args, context, onFault);
    return rendered(await callTerminal(base, args, onFault));
  });
  const onListed = watching === 'requests' ? serveWatching(server, workspace) : () => {};
  registerResources(server, workspace, onListed);
  registerGuide(server);
  return server;
}

/** What there is does not change, but for which terminals there are. */
function capabilities(watching: ServingOptions['watching']): ServerCapabilities {
  const canTell = watching !== undefined;
  return {
    tools: { listChanged: false },
    prompts: { listChanged: false },
    resources: { listChanged: canTell, subscribe: canTell },
  };
}

/**
 * As in the revisions with a handshake: until the client takes it back, or is gone.
 *
 * @returns To be called when the client asks which resources there are: from then on it is told when that changes.
 */
function serveWatching({ server }: McpServer, workspace: Workspace): () => Promise<void> {
  // A client that cannot be told any more is gone.
  const updates = new ResourceUpdates(workspace, (uri) => void server.sendResourceUpdated({ uri }).catch(() => {}));
  const watched = new Map<string, Promise<() => void>>();
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    const watch = watched.get(uri) ?? updates.watch([uri]);
    watched.set(uri, watch);
    await watch;
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    const end = await watched.get(uri);
    watched.delete(uri);
    end?.();
    return {};
  });
  const list = new ListChanges(workspace, () => void server.sendResourceListChanged().catch(() => {}));
  let listed: Promise<unknown> | undefined;
  server.onclose = () => {
    updates.close();
    list.close();
  };
  return async () => void (await (listed ??= list.watch()));
}

/** The signal ends a wait and nothing else: over HTTP it aborts after each answer, too. */
function callerOf({ mcpReq }: ServerContext, ending: AbortSignal | undefined): Caller {
  const signal = ending === undefined ? mcpReq.signal : AbortSignal.any([mcpReq.signal, ending]);
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { signal, tell: null };
  const tell = (progress: number, message: string) =>
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
  return { signal, tell };
}
