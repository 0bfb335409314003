/**
 * Opens the engine that options describe: in host processes, which outlive this one, or in this process. Who
 * asks cannot tell which. It knows no door.
 */
import type { Options } from './config.js';
import type { TerminalManager } from './contract/manager.js';
import type { HostStatus } from './host/hosts.js';
import type { UpgradedHost } from './host/remote-manager.js';
import type { EngineLog } from './terminal/options.js';

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
  const { RemoteTerminalManager } = await import('./host/remote-manager.js');
  const manager = new RemoteTerminalManager(options);
  try {
    return await manager.hosts();
  } finally {
    await manager.close();
  }
}

/**
 * Has the processes that hold terminals replaced by ones of this version. Nothing to do where terminals end with the
 * server.
 *
 * @throws `HOST_FAILED` if a new process could not take over: the old one goes on.
 */
export async function upgradeHosts(options: Options): Promise<UpgradedHost[]> {
  const { RemoteTerminalManager } = await import('./host/remote-manager.js');
  const manager = new RemoteTerminalManager(options);
  try {
    return await manager.upgradeHosts();
  } finally {
    await manager.close();
  }
}
