/**
 * Runs a host as a process: owns its slot, serves until it is told to stop or is no longer needed, and restores files
 * that a cleanup job removes. Does not exit the process; `main.ts` does that.
 */
import { closeSync, openSync, rmSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { check } from '../check.js';
import { TerminalError } from '../errors.js';
import { engineLog, openLog } from '../log.js';
import { DEFAULT_ENGINE_OPTIONS, type EngineLog, type EngineOptions } from '../contract/options.js';
import { LocalTerminalManager } from '../terminal/terminal-manager.js';
import { VERSION } from '../version.js';
import { surviveExhaustion } from './exhaustion.js';
import type { HeldLock } from './lock.js';
import type { HostOptions } from './options.js';
import { claimSlot, prepareLockDirectory } from './ownership.js';
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
import type { HandOffResult } from './successor.js';

const MAX_LOG_BYTES = 1 << 20;
/**
 * How often to check that the socket and the lock exist, because others may be waiting for them, and whether the host
 * is still needed.
 */
const CHECK_EVERY_MS = 1000;

export interface HostProcess {
  /** Ends all terminals, then releases all resources. */
  stop(): Promise<void>;
}

/**
 * Becomes the host of a slot. Resolves to null if another live process owns it.
 *
 * @param onEnd - Called once when the host has finished.
 * @throws `HOST_FAILED` if the directories cannot be used.
 */
export async function startHost(options: HostOptions, onEnd: () => void): Promise<HostProcess | null> {
  prepareDataDirectory(options.dataDir);
  const directory = prepareHostDirectory(options);
  const predecessor = options.isSuccessor ? new Predecessor() : null;
  // Until this resolves, the slot belongs to the predecessor.
  await predecessor?.slotGiven();
  const lock = claimSlot(options, options.slot);
  if (lock === null) return null;
  const log = openHostLog(options);
  surviveExhaustion(log);
  const host = new SlotHost(options, directory, lock, log, onEnd);
  await host.start(predecessor);
  return host;
}

/** Holds the slot of this process, and the resources in it. */
class SlotHost implements HostProcess {
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
      onShutdown: () => this.#end('on request'),
      handOff: (argument) => this.#handOff(argument),
    });
  }

  async start(predecessor: Predecessor | null): Promise<void> {
    const { slot, dataDir } = this.#options;
    const listen = (): Promise<void> => this.#server.listen(socketPath(this.#directory, slot));
    await loadAll();
    await this.#manager.recover();
    // Remove files left by the shells of a dead host.
    if (predecessor === null) rmSync(shellDirectory(this.#options), { recursive: true, force: true });
    if (predecessor === null) await listen();
    else await predecessor.serve(this.#manager, listen);
    this.#watch();
    this.#log('info', 'Host process started', { slot, pid: process.pid, version: VERSION, dataDir });
  }

  async stop(): Promise<void> {
    await this.#manager.shutdown();
    this.#end('signal');
  }

  /** @param argument - `{command}`: the command that starts the new host, for example a different version. */
  async #handOff(argument: unknown): Promise<unknown> {
    const { command } = check('', handOffRequest, argument);
    this.#stopWatching();
    this.#server.hold();
    try {
      const { pid, terminals, childless } = await this.#handOffTo(command);
      this.#log('info', 'Host process handed its terminals over', { slot: this.#options.slot, to: pid, terminals });
      // Deferred until the response has been sent.
      setImmediate(() => void this.#server.close());
      void childless.then(() => this.#end('handed over'));
      return { pid, terminals };
    } catch (error) {
      this.#log('error', 'The terminals could not be handed over; this host process keeps them', {
        error: String(error),
      });
      this.#server.resume();
      this.#watch();
      throw error;
    }
  }

  async #handOffTo(command: readonly string[]): Promise<HandOffResult> {
    const { dataDir, slot } = this.#options;
    // The log and the lock are in the data directory, which may have just been removed.
    prepareLockDirectory(this.#options);
    const logFd = openSync(logPath(dataDir, slot), 'a', 0o600);
    try {
      return await handOff({
        ...{ manager: this.#manager, options: this.#options, command, logFd },
        giveSlot: (pid) => {
          this.#server.stopListening();
          if (!this.#lock.passTo(pid)) throw new TerminalError('HOST_FAILED', 'The new host process ended');
        },
        takeSlotBack: () => this.#takeSlotBack(),
      });
    } finally {
      closeSync(logFd);
    }
  }

  async #takeSlotBack(): Promise<void> {
    const { slot } = this.#options;
    this.#lock = claimSlot(this.#options, slot) ?? this.#lock;
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
    // Close the server first: a client that connects now finds no host, and starts another once this one has exited.
    void this.#server
      .close()
      .then(() => this.#manager.shutdown())
      .finally(() => {
        this.#log('info', 'Host process ended', { slot: this.#options.slot, why });
        this.#onEnd();
      });
  }
}

const handOffRequest = z.object({ command: z.array(z.string()).min(1) });

/** Loads modules now rather than on first use, because by then an upgrade may have replaced the files. */
async function loadAll(): Promise<void> {
  await Promise.all([import('../terminal/terminal.js'), import('../terminal/past-terminal.js')]);
}

function openManager(options: HostOptions, log: EngineLog): LocalTerminalManager {
  const { dataDir, slot, maxTerminals, engine } = options;
  // A starter of another version may know other options, and JSON turns an infinite limit into null.
  const isUsable = (name: string) => Object.hasOwn(DEFAULT_ENGINE_OPTIONS, name) && engine[name] !== null;
  const known = Object.entries(engine).filter(([name]) => isUsable(name));
  const limits = Object.fromEntries(known) as Partial<EngineOptions>;
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

/** Truncates the log if it is too long. Processes that have it open for appending continue at its new end. */
function boundLog(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) truncateSync(path);
}

interface Watched {
  readonly server: HostServer;
  readonly lock: HeldLock;
  readonly log: EngineLog;
  /** Path of the log. */
  readonly path: string;
  readonly options: HostOptions;
}

/** Returns a function that stops the checks. */
function watch({ server, lock, log, path, options }: Watched, onIdle: () => void): () => void {
  const { idleExitMs, slot } = options;
  /** The last reported problem. Each problem is logged once, not every second. */
  let lastReported = '';
  const tell = (problem: string): void => {
    if (problem !== '' && problem !== lastReported) log('error', problem, { slot });
    lastReported = problem;
  };
  const look = async (): Promise<void> => {
    // Check this first: an idle host may exit even if its directories no longer exist.
    if (server.idleMs() >= idleExitMs) return onIdle();
    boundLog(path);
    prepareLockDirectory(options);
    const isOurs = lock.keep();
    prepareHostDirectory(options);
    if (isOurs) await server.keepSocket();
    tell(isOurs ? '' : 'Another process has taken the slot of this host process');
  };
  const timer = setInterval(
    () => void look().catch((error: unknown) => tell(`The host process cannot keep its directory: ${String(error)}`)),
    Math.min(CHECK_EVERY_MS, Math.max(idleExitMs / 2, 1)),
  );
  return () => clearInterval(timer);
}
