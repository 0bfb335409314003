/**
 * Makes the MCP server of one workspace, for whatever transport: called once for each connection on stdio, once for each
 * request over HTTP, so it is kept small. It knows no action.
 */
import { McpServer } from '@modelcontextprotocol/server';
import type { ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { VERSION } from '../version.js';
import type { Caller } from './progress.js';
import { ARGUMENTS_JSON_SCHEMA, callTerminal, TOOL_ANNOTATIONS, TOOL_DESCRIPTION, TOOL_NAME } from './terminal-tool.js';
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
  /** Aborts when what waits is to be answered with what there is. */
  readonly ending?: AbortSignal;
}

export function createMcpServer(workspace: Workspace, { onFault, ending }: ServingOptions): McpServer {
  const server = new McpServer({ name: 'tenacitty', version: VERSION });
  const config = { description: TOOL_DESCRIPTION, inputSchema: UNCHECKED, annotations: TOOL_ANNOTATIONS };
  server.registerTool(TOOL_NAME, config, (args, context) =>
    callTerminal({ workspace, caller: callerOf(context, ending) }, args, onFault),
  );
  return server;
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
