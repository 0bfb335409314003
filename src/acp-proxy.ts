/**
 * Assembles the proxy between an editor and an agent: the engine, the agent's process, and this process's stdin and
 * stdout as the connection to the editor. Like `server.ts`, reads no settings, never exits the process and handles no
 * signals.
 */
import { openCommandPolicy } from './access/policy/open-policy.js';
import type { TerminalExit } from './acp/display.js';
import { ProxiedAgent } from './acp/proxy/proxied-agent.js';
import { proxy } from './acp/proxy/proxy.js';
import type { ProxyOptions } from './acp/proxy/proxy.js';
import { sanitizeLine } from './acp/sanitize.js';
import type { Options } from './config.js';
import { agentEnvironment } from './config/agent-environment.js';
import { openEngine } from './engine.js';
import { engineLog, openQuietLog } from './log.js';

export type { McpServer } from './acp/proxy/editor-line-handler.js';

const MAX_LABEL_CHARS = 200;

export type AcpProxyRequest = Pick<ProxyOptions, 'force' | 'rawUpdates' | 'mcpServer' | 'leaving'>;

/**
 * Proxies between the editor on stdin and stdout and an agent until the agent ends.
 *
 * @param program - The agent and its arguments.
 * @returns How the agent's process ended.
 * @throws {TerminalError} `INVALID_INPUT`, with the field `program` if the agent's program cannot be run, or if the log
 * file cannot be opened or the policy cannot be used; `SPAWN_FAILED` if the system refuses to start the agent.
 */
export async function proxyAcpOnStdio(
  program: readonly string[],
  options: Options,
  request: AcpProxyRequest,
): Promise<TerminalExit> {
  const log = openQuietLog(options);
  const policy = await openCommandPolicy(options);
  const agent = await ProxiedAgent.start(program, agentEnvironment(process.env, options));
  const manager = await openEngine(options, engineLog(log));
  try {
    const labels = { agent: sanitizeLine(program[0] ?? '', MAX_LABEL_CHARS) };
    return await proxy({ ...request, agent, manager, policy, labels, input: process.stdin, output: process.stdout });
  } finally {
    await manager.close();
  }
}
