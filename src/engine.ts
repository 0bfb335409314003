/**
 * Opens the engine that options describe: in host processes, which outlive this one, or in this process. Who
 * asks cannot tell which. It knows no door.
 */
import type { Options } from './config.js';
import type { TerminalManager } from './contract/manager.js';
import type { HostStatus } from './host/hosts.js';
import type { RemoteTerminalManager } from './host/remote-manager.js';
import type { UpgradedHost } from './host/all-hosts.js';
import type { EngineLog } from './contract/options.js';

export type { HostStatus } from './host/hosts.js';

/** @param log - Where it says what happens. Default: nowhere. */
export async function openEngine(options: Options, log: EngineLog = () => {}): Promise<TerminalManager> {
  // A part that is not used is not loaded: most commands end before a module of theirs would be missed.
  if (!options.persistent) {
    const { LocalTerminalManager } = await import('./terminal/terminal-manager.js');
    return new LocalTerminalManager({ ...options.engine, historyDir: null, log });
  }
  const { RemoteTerminalManager } = await import('./host/remote-manager.js');
  return new RemoteTerminalManager({ ...options, log });
}

/** The processes that hold terminals, each asked how it is; none where terminals end with the server. */
export async function listHosts(options: Options): Promise<HostStatus[]> {
  if (!options.persistent) return [];
  return withHosts(options, (manager) => manager.hosts());
}

/** Has the processes that hold terminals end within seconds, as far as nothing needs them. */
export async function releaseHosts(options: Options): Promise<void> {
  if (options.persistent) await withHosts(options, (manager) => manager.releaseHosts());
}

/**
 * Ends all processes that hold terminals, with their terminals. Resolves when they are told; they end by themselves.
 *
 * @throws `HOST_UNRESPONSIVE`, `HOST_FAILED` if one of them could not be told; all others end.
 */
export async function endHosts(options: Options): Promise<void> {
  await withHosts(options, (manager) => manager.shutdown());
}

/**
 * Has the processes that hold terminals replaced by ones of this version. Nothing to do where terminals end with the
 * server.
 *
 * @throws `HOST_FAILED` if a new process could not take over: the old one goes on.
 */
export function upgradeHosts(options: Options): Promise<UpgradedHost[]> {
  return withHosts(options, (manager) => manager.upgradeHosts());
}

async function withHosts<Result>(
  options: Options,
  use: (manager: RemoteTerminalManager) => Promise<Result>,
): Promise<Result> {
  const { RemoteTerminalManager } = await import('./host/remote-manager.js');
  const manager = new RemoteTerminalManager(options);
  try {
    return await use(manager);
  } finally {
    await manager.close();
  }
}
