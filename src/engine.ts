/**
 * Opens the engine that the options describe: in host processes, which outlive this process, or in this process.
 * Callers use both in the same way.
 */
import type { Options } from './config.js';
import type { TerminalManager } from './contract/manager.js';
import type { HostFigures, HostStatus } from './host/hosts.js';
import type { RemoteOptions } from './host/options.js';
import type { RemoteTerminalManager } from './host/remote-manager.js';
import type { UpgradedHost } from './host/all-hosts.js';
import type { EngineLog } from './contract/options.js';

export type { HostFigures, HostStatus } from './host/hosts.js';

/** Opens the engine. @param log - Receives log messages. Default: none. */
export async function openEngine(options: Options, log: EngineLog = () => {}): Promise<TerminalManager> {
  // Only the part that is used is loaded, because most commands finish faster without the modules of the other.
  if (!options.persistent) {
    const { LocalTerminalManager } = await import('./terminal/terminal-manager.js');
    return new LocalTerminalManager({ ...options.engine, historyDir: null, log });
  }
  const { RemoteTerminalManager } = await import('./host/remote-manager.js');
  return new RemoteTerminalManager({ ...remoteOptions(options), log });
}

/** Returns the status of each host process; none if terminals end with the server. */
export async function listHosts(options: Options): Promise<HostStatus[]> {
  if (!options.persistent) return [];
  return withHosts(options, (manager) => manager.hosts());
}

/** Returns the current figures of the host processes that an engine uses; none if it holds terminals itself. */
export async function hostFigures(engine: TerminalManager): Promise<HostFigures[]> {
  return 'hostFigures' in engine ? (engine as RemoteTerminalManager).hostFigures() : [];
}

/** Makes host processes that are no longer needed exit within seconds. */
export async function releaseHosts(options: Options): Promise<void> {
  if (options.persistent) await withHosts(options, (manager) => manager.releaseHosts());
}

/**
 * Ends all host processes and their terminals. Resolves when each host has received the request; the hosts then exit by
 * themselves.
 *
 * @throws `HOST_UNRESPONSIVE` or `HOST_FAILED` if a host could not be reached; all others end.
 */
export async function endHosts(options: Options): Promise<void> {
  await withHosts(options, (manager) => manager.shutdown());
}

/**
 * Replaces the host processes with new ones of this version. Does nothing if terminals end with the server.
 *
 * @throws `HOST_FAILED` if a new process could not take over, in which case the old one continues.
 */
export function upgradeHosts(options: Options): Promise<UpgradedHost[]> {
  return withHosts(options, (manager) => manager.upgradeHosts());
}

async function withHosts<Result>(
  options: Options,
  use: (manager: RemoteTerminalManager) => Promise<Result>,
): Promise<Result> {
  const { RemoteTerminalManager } = await import('./host/remote-manager.js');
  const manager = new RemoteTerminalManager(remoteOptions(options));
  try {
    return await use(manager);
  } finally {
    await manager.close();
  }
}

function remoteOptions({ dataDir, runtimeDir, maxHostTerminals, engine, logLevel }: Options): RemoteOptions {
  return { dataDir, runtimeDir, maxHostTerminals, engine, logLevel };
}
