/**
 * Assembles the MCP server for a single client: the engine, plus MCP over stdin and stdout. Like `server.ts`, reads no
 * settings, never exits the process and handles no signals.
 */
import { answerLinks } from './access/answer-links.js';
import { managerFor, openCommandPolicy } from './access/policy/open-policy.js';
import type { Options } from './config.js';
import { placeFlags } from './config/place.js';
import { respondingServer } from './config/running.js';
import { openEngine } from './engine.js';
import { engineLog, openQuietLog } from './log.js';
import type { CloseMode } from './mcp/presence.js';

export interface McpOptions {
  /** Name of the workspace that owns the numbered terminals. Default: a private one. */
  readonly workspace?: string | undefined;
  /** What to do with terminals whose client has disconnected. Default: `idle`. */
  readonly onClose?: CloseMode | undefined;
}

/**
 * Serves until stdin ends. Terminals that host processes hold keep running.
 *
 * @throws {TerminalError} `INVALID_INPUT` if the log file cannot be opened or the policy cannot be used.
 */
export async function serveMcpOnStdio(options: Options, { workspace, onClose }: McpOptions = {}): Promise<void> {
  const log = openQuietLog(options);
  const policy = await openCommandPolicy(options);
  const engine = await openEngine(options, engineLog(log));
  const manager = await managerFor('mcp', engine, policy, options, engineLog(log));
  try {
    const { serveOnStdio } = await import('./mcp/stdio.js');
    const { Workspace } = await import('./mcp/workspace.js');
    const presence = onClose === undefined ? {} : { mode: onClose };
    await serveOnStdio(
      new Workspace(manager, { namespace: workspace, presence, placeFlags: placeFlags(options) }),
      (error) => log.warn({ error: String(error) }, 'An internal error while serving MCP'),
      answerLinks(options.dataDir, () => serverUrl(options)),
    );
  } finally {
    await manager.close();
  }
}

/** Returns the URL of a running server that has the same terminals, if there is one. */
async function serverUrl({ dataDir, persistent }: Options): Promise<string | undefined> {
  return persistent ? respondingServer(dataDir, (server) => server.persistent) : undefined;
}
