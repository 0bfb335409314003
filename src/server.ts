/**
 * Where everything is put together: the log, the engine, the gate, and the doors. It reads no
 * setting, never exits the process and traps no signal; that is the command line's part.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AskForApproval } from './access/policy/command-policy.js';
import { createGate } from './access/gate.js';
import { managerFor, openCommandPolicy } from './access/policy/open-policy.js';
import type { Options } from './config.js';
import { exposure } from './config/exposure.js';
import { placeFlags, placeMark, placeProblems } from './config/place.js';
import type { TerminalManager } from './contract/manager.js';
import type { Certificate } from './http/server.js';
import { openEngine } from './engine.js';
import { engineLog, openLogFile } from './log.js';
import type { Logger } from './log.js';
import { McpMount } from './mcp/mount.js';
import { VERSION } from './version.js';

export interface RunningServer {
  /** Where it answers, as `http://127.0.0.1:3001`; with TENACITTY_PORT=0 the port that was found. */
  readonly url: string;
  /**
   * Takes no more requests and lets go of the terminals, and resolves when both is done; bounded. Terminals that are
   * held by this process (`persistent` is false) are ended, others go on. Safe to call twice.
   */
  close(): Promise<void>;
  /**
   * Goes on in the file that has the name TENACITTY_LOG_FILE now, and takes the certificate and its key as they are now. What cannot be
   * used is logged, and what there was goes on.
   */
  reload(): void;
  /** Ends every process of every terminal held by this process by SIGKILL, at once; resolves when they are gone. */
  force(): Promise<void>;
}

/**
 * Starts the engine and the service that `options` describe.
 *
 * @param options - From `resolveOptions`.
 * @param ask - Asks somebody who can allow what the policy wants asked for. Default: nobody is there, so it is denied.
 * @throws The error of `listen` (`EADDRINUSE`, `EACCES`, …); {@link TerminalError} `INVALID_INPUT` if the
 * log file cannot be opened or the policy cannot be used.
 */
export async function startServer(options: Options, ask?: AskForApproval): Promise<RunningServer> {
  const { log, reopen } = openLogFile(options);
  const policy = await openCommandPolicy(options, ask);
  const manager = await openEngine(options, engineLog(log));
  try {
    const behind = (door: string) => managerFor(door, manager, policy, options, engineLog(log));
    const http = await openHttp(options, { http: await behind('http'), mcp: await behind('mcp') }, log);
    const { interfaces, warning } = exposure(options);
    log.info({ url: http.url, version: VERSION, interfaces }, 'Listening');
    for (const problem of Object.values(placeProblems(options))) if (problem !== undefined) log.error(problem);
    if (warning !== undefined) log.warn(`${warning[0]!.toUpperCase()}${warning.slice(1)}`);
    let closed: Promise<void> | undefined;
    return {
      url: http.url,
      close: () => (closed ??= closeAll(http, manager, log)),
      reload: () => reload({ reopen, http, options, log }),
      force: () => (options.persistent ? manager.close() : manager.shutdown(0)),
    };
  } catch (error) {
    await manager.close();
    throw error;
  }
}

/** @param managers - What each door works with. */
async function openHttp(options: Options, managers: Readonly<Record<'http' | 'mcp', TerminalManager>>, log: Logger) {
  // Only now: importing the library must not load a web framework.
  const { startHttp } = await import('./http/server.js');
  const { IdempotencyKeys } = await import('./http/idempotency.js');
  const { host, port, maxBodyBytes, logReads, trustedProxies, tls } = options;
  const gate = createGate(options, engineLog(log));
  const secured = tls && { tls: readCertificate(tls) };
  const mounts = [mcpOn(managers.mcp, options, log)];
  return startHttp({
    manager: managers.http,
    gate,
    log,
    host,
    port,
    maxBodyBytes,
    maxWaitingReads: options.engine.maxWaitingReads,
    keys: new IdempotencyKeys(join(options.dataDir, 'idempotency')),
    logReads,
    trustedProxies,
    version: VERSION,
    place: placeMark(options),
    placeProblems: () => placeProblems(options),
    mounts,
    ...secured,
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
  log.info('The log goes on here');
  if (tls)
    tried(
      () => http.renew(readCertificate(tls)),
      'TENACITTY_TLS_CERT and TENACITTY_TLS_KEY cannot be used; the old ones stay',
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

function mcpOn(manager: TerminalManager, options: Options, log: Logger): McpMount {
  const faults = {
    onFault: (error: unknown) => log.error({ err: error }, 'A fault while serving MCP'),
    onRefusal: (error: Error) => log.debug({ reason: error.message }, 'A request for MCP was refused'),
  };
  return new McpMount(manager, faults, { placeFlags: placeFlags(options) });
}

/** The doors first, so that nobody starts a terminal that would be ended at once. */
async function closeAll(http: { close(): Promise<void> }, manager: TerminalManager, log: Logger): Promise<void> {
  log.info('Stopping');
  await http.close();
  await manager.close();
  log.info('Stopped');
}
