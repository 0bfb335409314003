/**
 * Creates the MCP server of one workspace, for any transport. This happens once per connection on stdio and once per
 * request over HTTP, so it must be cheap.
 */
import { CLIENT_INFO_META_KEY, McpServer } from '@modelcontextprotocol/server';
import type {
  Implementation,
  ServerCapabilities,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { Principal } from '../access/principal.js';
import { mayDo } from '../access/roles.js';
import { VERSION } from '../version.js';
import { rendered } from './answer.js';
import { registerGuide } from './guide.js';
import { ListChanges } from './resources/list-changes.js';
import { canShowLinks } from './secrets/password-questions.js';
import type { PasswordQuestions } from './secrets/password-questions.js';
import type { Caller } from './progress.js';
import { numberOfUri } from './resources/names.js';
import { ResourceUpdates } from './resources/updates.js';
import { registerResources } from './resources/resources.js';
import type { WatchBudget } from './resources/watch-budget.js';
import {
  ARGUMENTS_JSON_SCHEMA,
  callTerminal,
  INSTRUCTIONS,
  TOOL_ANNOTATIONS,
  TOOL_DESCRIPTION,
  TOOL_NAME,
} from './terminal-tool.js';
import type { Workspace } from './workspace.js';

/** Accepts any input, because the tool validates it itself, with its own error messages. */
const UNCHECKED: StandardSchemaWithJSON = {
  '~standard': {
    version: 1,
    vendor: 'tenacitty',
    validate: (value) => ({ value }),
    jsonSchema: { input: () => ARGUMENTS_JSON_SCHEMA, output: () => ARGUMENTS_JSON_SCHEMA },
  },
};

export interface ServingOptions {
  /** Returns the caller of a request or, without a context, the caller that the server was created for. */
  readonly principalOf: (context?: ServerContext) => Principal;
  /** Called for internal errors. */
  readonly onFault: (error: unknown) => void;
  /** Returns the signal that aborts when a waiting call must return what is known so far. */
  readonly ending?: (context: ServerContext) => AbortSignal | undefined;
  /**
   * How clients state which resources they watch: with one request per resource, or by listening, which is handled
   * outside this server. Default: clients cannot watch.
   */
  readonly watching?: 'requests' | 'listening';
  /** Limits how many terminals the client can watch. Default: a separate budget. */
  readonly budget?: WatchBudget;
  /** Asks the user for passwords, if the client can show links to this machine. Default: the user is not asked. */
  readonly person?: PasswordQuestions;
}

export function createMcpServer(workspace: Workspace, options: ServingOptions): McpServer {
  const { principalOf, onFault, ending, watching, budget, person } = options;
  const server = new McpServer(
    { name: 'tenacitty', version: VERSION },
    { capabilities: capabilities(watching), instructions: INSTRUCTIONS },
  );
  const config = { description: TOOL_DESCRIPTION, inputSchema: UNCHECKED, annotations: TOOL_ANNOTATIONS };
  server.registerTool(TOOL_NAME, config, async (args, context) => {
    const principal = principalOf(context);
    const own = workspace.as(principal, clientName(server, context));
    const base = { workspace: own, caller: callerOf(context, ending?.(context)) };
    const mayAsk = person !== undefined && mayDo(principal.role, 'control') && canShowLinks(server, context);
    if (mayAsk) return person.call(base, args, context, onFault);
    return rendered(await callTerminal(base, args, onFault));
  });
  const shown = workspace.as(principalOf());
  const onListed = watching === 'requests' ? serveWatching(server, shown, budget) : () => {};
  registerResources(server, shown, onListed);
  registerGuide(server);
  return server;
}

/** Returns the name that a client states for itself, in each request or when it connects. */
function clientName({ server }: McpServer, { mcpReq }: ServerContext): string | undefined {
  const envelope = mcpReq.envelope as Readonly<Record<string, Implementation | undefined>> | undefined;
  return (envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion())?.name;
}

/** Returns the server's capabilities. None of its lists change, except the list of terminals. */
function capabilities(watching: ServingOptions['watching']): ServerCapabilities {
  const canNotify = watching !== undefined;
  return {
    tools: { listChanged: false },
    prompts: { listChanged: false },
    resources: { listChanged: canNotify, subscribe: canNotify },
  };
}

/**
 * Lets clients watch resources in protocol revisions with a handshake, until they unsubscribe or disconnect.
 *
 * @returns A function to call when the client lists the resources. From then on, the client is notified when that list
 * changes.
 */
function serveWatching({ server }: McpServer, workspace: Workspace, budget?: WatchBudget): () => Promise<void> {
  // A client that can no longer be notified has disconnected.
  const notify = (uri: string) => void server.sendResourceUpdated({ uri }).catch(() => {});
  const updates = new ResourceUpdates(workspace, notify, budget);
  const watched = new Map<string, Promise<() => void>>();
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    // A client may send any number of unknown names, so they are not kept.
    if (numberOfUri(uri) === undefined) return {};
    const watch = watched.get(uri) ?? updates.watch([uri]);
    watched.set(uri, watch);
    await watch.catch((error: unknown) => {
      watched.delete(uri);
      throw error;
    });
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

/** Returns the caller. Its signal only ends a wait, because over HTTP it also aborts after each response. */
function callerOf({ mcpReq }: ServerContext, ending: AbortSignal | undefined): Caller {
  const signal = ending === undefined ? mcpReq.signal : AbortSignal.any([mcpReq.signal, ending]);
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { signal, report: null };
  const tell = (progress: number, message: string) =>
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
  return { signal, report: tell };
}
