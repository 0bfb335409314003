/**
 * A host as a process: owns its slot, serves until it is told to stop or nobody needs it any more, and mends what a
 * tidy-up takes away. It ends no process itself; `main.ts` does that.
 */
import { closeSync, openSync, rmSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { check } from '../check.js';
import { TerminalError } from '../errors.js';
import { engineLog, openLog } from '../log.js';
import type { EngineLog, EngineOptions } from '../contract/options.js';
import { LocalTerminalManager } from '../terminal/terminal-manager.js';
import { VERSION } from '../version.js';
import { surviveExhaustion } from './exhaustion.js';
import type { HeldLock } from './lock.js';
import type { HostOptions } from './options.js';
import { ownSlot, prepareLockDirectory } from './ownership.js';
import { Predecessor } from './predecessor.js';
import {
  historyDirectory,
  logPath,
  makePrivate,
  prepareDataDirectory,
  prepareHostDirectory,
  shellDirectory,
  socketPath,
} from './runtime-directory.js';
import { HostServer } from './server.js';
import { handOff } from './successor.js';
import type { HandedOff } from './successor.js';

const MAX_LOG_BYTES = 1 << 20;
/** How often it looks whether its socket and lock are there, which others may wait for, and whether it is still needed. */
const CHECK_EVERY_MS = 1000;

export interface HostProcess {
  /** Ends all terminals, then lets go of everything. */
  stop(): Promise<void>;
}

/**
 * Becomes the host of a slot. Null if another process, which lives, is.
 *
 * @param onEnd - Called once when there is nothing more to do.
 * @throws `HOST_FAILED` if the directories cannot be used.
 */
export async function startHost(options: HostOptions, onEnd: () => void): Promise<HostProcess | null> {
  prepareDataDirectory(options.dataDir);
  const directory = prepareHostDirectory(options);
  const predecessor = options.isSuccessor ? new Predecessor() : null;
  // Before that the slot is the predecessor's.
  await predecessor?.slotGiven();
  const lock = ownSlot(options, options.slot);
  if (lock === null) return null;
  const log = openHostLog(options);
  surviveExhaustion(log);
  const host = new OwnedSlot(options, directory, lock, log, onEnd);
  await host.start(predecessor);
  return host;
}

/** The slot of this process, and all that stands in it. */
class OwnedSlot implements HostProcess {
  readonly #options: HostOptions;
  readonly #directory: string;
  readonly #log: EngineLog;
  readonly #onEnd: () => void;
  readonly #manager: LocalTerminalManager;
  readonly #server: HostServer;
  #lock: HeldLock;
  #stopWatching: () => void = () => {};
  #isOver = false;

  constructor(options: HostOptions, directory: string, lock: HeldLock, log: EngineLog, onEnd: () => void) {
    this.#options = options;
    this.#directory = directory;
    this.#lock = lock;
    this.#log = log;
    this.#onEnd = onEnd;
    this.#manager = openManager(options, log);
    this.#server = new HostServer({
      ...{ manager: this.#manager, slot: options.slot, maxTerminals: options.maxTerminals, log },
      onShutdown: () => this.#end('asked to'),
      handOff: (argument) => this.#handOff(argument),
    });
  }

  async start(predecessor: Predecessor | null): Promise<void> {
    const { slot, dataDir } = this.#options;
    const listen = (): Promise<void> => this.#server.listen(socketPath(this.#directory, slot));
    await loadAll();
    await this.#manager.recover();
    // What shells of a host that is gone have left.
    if (predecessor === null) rmSync(shellDirectory(this.#options), { recursive: true, force: true });
    if (predecessor === null) await listen();
    else await predecessor.serve(this.#manager, listen);
    this.#watch();
    this.#log('info', 'Host started', { slot, pid: process.pid, version: VERSION, dataDir });
  }

  async stop(): Promise<void> {
    await this.#manager.shutdown();
    this.#end('signal');
  }

  /** @param argument - `{command}`: what the new host is, for example of another version. */
  async #handOff(argument: unknown): Promise<unknown> {
    const { command } = check('', handOffRequest, argument);
    this.#stopWatching();
    this.#server.hold();
    try {
      const { pid, terminals, childless } = await this.#handOffTo(command);
      this.#log('info', 'Host handed its terminals over', { slot: this.#options.slot, to: pid, terminals });
      // After the answer was sent.
      setImmediate(() => void this.#server.close());
      void childless.then(() => this.#end('handed over'));
      return { pid, terminals };
    } catch (error) {
      this.#log('error', 'The terminals could not be handed over; this host goes on', { error: String(error) });
      this.#server.goOn();
      this.#watch();
      throw error;
    }
  }

  async #handOffTo(command: readonly string[]): Promise<HandedOff> {
    const { dataDir, slot } = this.#options;
    // Log and lock lie in the data directory, which somebody may just have removed.
    prepareLockDirectory(this.#options);
    const logFd = openSync(logPath(dataDir, slot), 'a', 0o600);
    try {
      return await handOff({
        ...{ manager: this.#manager, options: this.#options, command, logFd },
        giveSlot: (pid) => {
          this.#server.stopListening();
          if (!this.#lock.passTo(pid)) throw new TerminalError('HOST_FAILED', 'The new host is gone again');
        },
        takeSlotBack: () => this.#takeSlotBack(),
      });
    } finally {
      closeSync(logFd);
    }
  }

  async #takeSlotBack(): Promise<void> {
    const { slot } = this.#options;
    this.#lock = ownSlot(this.#options, slot) ?? this.#lock;
    await this.#server.listen(socketPath(this.#directory, slot));
  }

  #watch(): void {
    const { dataDir, slot } = this.#options;
    const watched = { server: this.#server, lock: this.#lock, log: this.#log, options: this.#options };
    this.#stopWatching = watch({ ...watched, path: logPath(dataDir, slot) }, () => {
      this.#end('idle');
    });
  }

  #end(why: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopWatching();
    // The door first: who comes now finds nobody, and starts another host once this one is gone.
    void this.#server
      .close()
      .then(() => this.#manager.shutdown())
      .finally(() => {
        this.#log('info', 'Host ended', { slot: this.#options.slot, why });
        this.#onEnd();
      });
  }
}

const handOffRequest = z.object({ command: z.array(z.string()).min(1) });

/** Now, and not when first needed: by then an upgrade may have put other files in their place. */
async function loadAll(): Promise<void> {
  await Promise.all([import('../terminal/terminal.js'), import('../terminal/past-terminal.js')]);
}

function openManager(options: HostOptions, log: EngineLog): LocalTerminalManager {
  const { dataDir, slot, maxTerminals, engine } = options;
  const limits = engine as Partial<EngineOptions>;
  const historyDir = historyDirectory(dataDir, slot);
  const places = { historyDir, historyRoot: dirname(historyDir), shellDir: shellDirectory(options) };
  return new LocalTerminalManager({ ...limits, maxTerminals, ...places, log });
}

function openHostLog({ dataDir, slot, logLevel }: HostOptions): EngineLog {
  const logFile = logPath(dataDir, slot);
  makePrivate(dirname(logFile), 'TENACITTY_DATA_DIR');
  boundLog(logFile);
  return engineLog(openLog({ logLevel, logFile }));
}

/** Begins anew when it has grown too long; those who have it open go on writing at its new end. */
function boundLog(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) truncateSync(path);
}

interface Watched {
  readonly server: HostServer;
  readonly lock: HeldLock;
  readonly log: EngineLog;
  /** Of the log. */
  readonly path: string;
  readonly options: HostOptions;
}

/** Returns what ends it. */
function watch({ server, lock, log, path, options }: Watched, onIdle: () => void): () => void {
  const { idleExitMs, slot } = options;
  /** What is wrong is said once, not each second. */
  let told = '';
  const tell = (problem: string): void => {
    if (problem !== '' && problem !== told) log('error', problem, { slot });
    told = problem;
  };
  const look = async (): Promise<void> => {
    // First of all: it may end though it has no place any more.
    if (server.idleMs() >= idleExitMs) return onIdle();
    boundLog(path);
    prepareLockDirectory(options);
    const isOurs = lock.keep();
    prepareHostDirectory(options);
    if (isOurs) await server.keepSocket();
    tell(isOurs ? '' : 'Another process has taken this slot');
  };
  const timer = setInterval(
    () => void look().catch((error: unknown) => tell(`The host cannot keep its place: ${String(error)}`)),
    Math.min(CHECK_EVERY_MS, Math.max(idleExitMs / 2, 1)),
  );
  return () => clearInterval(timer);
}
