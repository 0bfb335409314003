/**
 * Assembles the server: the log, the engine, the gate, and the HTTP and MCP interfaces. Reads no settings, never exits
 * the process and handles no signals; the command line does that.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AskForApproval } from './access/policy/command-policy.js';
import type { DescribedPolicy } from './access/policy/create-command-policy.js';
import { answerLinks } from './access/answer-links.js';
import { createGate } from './access/gate.js';
import { KeyRing } from './access/key-ring.js';
import { managerFor, openCommandPolicy } from './access/policy/open-policy.js';
import type { Options } from './config.js';
import { exposure } from './config/exposure.js';
import { recordServer } from './config/running.js';
import { placeFlags, placeMark, placeProblems } from './config/place.js';
import type { TerminalManager } from './contract/manager.js';
import type { Certificate } from './http/server.js';
import { hostFigures, openEngine } from './engine.js';
import { Hooks } from './hooks/hooks.js';
import { claimHooks } from './host/ownership.js';
import { engineLog, openLogFile } from './log.js';
import type { Logger } from './log.js';
import { McpMount } from './mcp/mount.js';
import { PACKAGE } from './package-paths.js';
import { VERSION } from './version.js';

export interface RunningServer {
  /** The server's address, such as `http://127.0.0.1:3001`. With TENACITTY_PORT=0, it contains the assigned port. */
  readonly url: string;
  /**
   * Stops accepting requests, and releases the terminals. Resolves when both are done, within a time limit. Ends
   * terminals that this process holds (if `persistent` is false); others keep running. Safe to call twice.
   */
  close(): Promise<void>;
  /**
   * Reopens the file that TENACITTY_LOG_FILE names, and reloads the certificate and its key. If a new file cannot be
   * used, logs that and continues with the old one.
   */
  reload(): void;
  /** Ends all processes of the terminals that this process holds, with SIGKILL. Resolves when they have exited. */
  force(): Promise<void>;
}

/**
 * Starts the engine and the service that `options` describe.
 *
 * @param options - From `resolveOptions`.
 * @param ask - Requests approval from a person where the policy requires it. Default: none, so programs that need
 * approval are denied.
 * @throws The error of `listen` (`EADDRINUSE`, `EACCES`, …); {@link TerminalError} `INVALID_INPUT` if the log file
 * cannot be opened or the policy cannot be used.
 */
export async function startServer(options: Options, ask?: AskForApproval): Promise<RunningServer> {
  const { log, reopen } = openLogFile(options);
  const policy = await openCommandPolicy(options, ask);
  const manager = await openEngine(options, engineLog(log));
  try {
    const behind = (door: string) => managerFor(door, manager, policy, options, engineLog(log));
    const hooks = hooksOf(options, manager, policy, log);
    const managers = { engine: manager, http: await behind('http'), mcp: await behind('mcp') };
    const http = await openHttp(options, managers, hooks, log);
    hooks.start();
    const { interfaces, warning } = exposure(options);
    log.info({ url: http.url, version: VERSION, interfaces }, 'Listening');
    for (const problem of Object.values(placeProblems(options))) if (problem !== undefined) log.error(problem);
    if (warning !== undefined) log.warn(`${warning[0]!.toUpperCase()}${warning.slice(1)}`);
    const forget = recorded(options, http.url, log);
    let closed: Promise<void> | undefined;
    return {
      url: http.url,
      close() {
        forget();
        return (closed ??= closeAll([http, hooks, manager], log));
      },
      reload: () => reload({ reopen, http, options, log }),
      force: () => (options.persistent ? manager.close() : manager.shutdown(0)),
    };
  } catch (error) {
    await manager.close();
    throw error;
  }
}

/** Records the running server. If this fails, the server still runs, but `tenacitty open` cannot find it. */
function recorded({ dataDir, persistent }: Options, url: string, log: Logger): () => void {
  try {
    return recordServer(dataDir, { url, persistent });
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'The address could not be recorded for other commands');
    return () => {};
  }
}

/** Opens the HTTP interfaces. @param managers - The manager that each interface uses. */
async function openHttp(
  options: Options,
  managers: Readonly<Record<'engine' | 'http' | 'mcp', TerminalManager>>,
  hooks: Hooks,
  log: Logger,
) {
  // Imported only here, because importing the library must not load a web framework.
  const { startHttp } = await import('./http/server.js');
  const { IdempotencyKeys } = await import('./http/idempotency.js');
  const { host, port, maxBodyBytes, logReads, trustedProxies, tls } = options;
  const gate = createGate(options, engineLog(log));
  const secured = tls && { tls: readCertificate(tls) };
  // Called only for requests, which arrive once it is listening.
  const ownUrl = () => Promise.resolve(started.url);
  const mounts = [mcpOn(managers.mcp, options, ownUrl, log)];
  const started = await startHttp({
    manager: managers.http,
    hooks,
    gate,
    log,
    host,
    port,
    pageDir: join(PACKAGE, 'dist', 'page'),
    maxBodyBytes,
    maxWaitingReads: options.engine.maxWaitingReads,
    keys: new IdempotencyKeys(join(options.dataDir, 'idempotency')),
    logReads,
    trustedProxies,
    version: VERSION,
    place: placeMark(options),
    placeProblems: () => placeProblems(options),
    hosts: () => hostFigures(managers.engine),
    mounts,
    ...secured,
  });
  return started;
}

function hooksOf(options: Options, manager: TerminalManager, policy: DescribedPolicy | null, log: Logger): Hooks {
  const { dataDir, apiKeyHashes, engine } = options;
  const keys = new KeyRing(dataDir, apiKeyHashes, engineLog(log));
  return new Hooks({
    dataDir,
    manager,
    policy,
    ...{ withheldEnv: engine.withheldEnv, placeEnv: engine.placeEnv },
    claim: () => claimHooks(dataDir),
    isAccepted: (principalId) => keys.isAccepted(principalId),
    log: engineLog(log),
    maxWaitingReads: engine.maxWaitingReads,
  });
}

function readCertificate({ certFile, keyFile }: NonNullable<Options['tls']>): Certificate {
  return { cert: readFileSync(certFile), key: readFileSync(keyFile) };
}

interface Reloaded {
  readonly reopen: () => void;
  readonly http: { renew(certificate: Certificate): void };
  readonly options: Options;
  readonly log: Logger;
}

function reload({ reopen, http, options: { tls, logFile }, log }: Reloaded): void {
  tried(() => reopen(), `TENACITTY_LOG_FILE ${logFile} cannot be opened`, log);
  log.info('Logging continues here');
  if (tls)
    tried(
      () => http.renew(readCertificate(tls)),
      'TENACITTY_TLS_CERT and TENACITTY_TLS_KEY cannot be used; the previous certificate stays in use',
      log,
    );
}

function tried(act: () => void, failure: string, log: Logger): void {
  try {
    act();
  } catch (error) {
    log.error({ reason: (error as Error).message }, failure);
  }
}

/** @param ownUrl - Returns the URL of this server. */
function mcpOn(manager: TerminalManager, options: Options, ownUrl: () => Promise<string>, log: Logger): McpMount {
  const faults = {
    onFault: (error: unknown) => log.error({ err: error }, 'An internal error while serving MCP'),
    onRefusal: (error: Error) => log.debug({ reason: error.message }, 'An MCP request was refused'),
  };
  const links = answerLinks(options.dataDir, ownUrl);
  return new McpMount(manager, faults, { placeFlags: placeFlags(options) }, links);
}

/** Closes the parts in order: HTTP first, so that no client starts a terminal that would be ended at once. */
async function closeAll(parts: readonly { close(): Promise<void> }[], log: Logger): Promise<void> {
  log.info('Stopping');
  for (const part of parts) await part.close();
  log.info('Stopped');
}
