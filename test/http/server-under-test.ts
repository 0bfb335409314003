/** A real server for one test file: real engine, real gate, a free port, and a readable log. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createGate, type Gate, type GateOptions } from '../../src/access/gate.js';
import type { Role } from '../../src/access/roles.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import { Hooks } from '../../src/hooks/hooks.js';
import type { HooksOptions } from '../../src/hooks/hooks.js';
import { IdempotencyKeys } from '../../src/http/idempotency.js';
import type { Mount } from '../../src/http/mount.js';
import { startHttp, type HttpDeps } from '../../src/http/server.js';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from '../../src/contract/options.js';
import { LocalTerminalManager } from '../../src/terminal/terminal-manager.js';
import { ApiClient } from './api-client.js';

/** Small enough to be exceeded in a test, large enough for every other request. */
export const MAX_BODY_BYTES = 64 << 10;
export const VERSION = '1.2.3-test';
const SHUTDOWN_GRACE_MS = 500;

interface Settings {
  readonly engine?: Partial<EngineOptions>;
  readonly gate?: Partial<GateOptions>;
  readonly http?: Partial<Pick<HttpDeps, 'host' | 'port' | 'tls' | 'maxBodyBytes' | 'logReads' | 'keys' | 'pageDir'>>;
  /** The role of all callers. Default: that of their principal. */
  readonly role?: Role;
  /** If given, hooks run; else they are only kept. */
  readonly hooks?: Partial<HooksOptions>;
  /** Further handlers to mount. */
  readonly mounts?: (manager: TerminalManager) => readonly Mount[];
}

const running = new Set<ServerUnderTest>();

/**
 * For `afterEach` or `afterAll`: stops servers that tests have started and not stopped, for example because they
 * failed.
 */
export async function stopServers(): Promise<void> {
  await Promise.all([...running].map((server) => server.stop()));
}

/** Starts a server; `stop` ends it and its terminals and removes its files. */
export async function startServer({ engine, gate, role, http, hooks: hookOptions, mounts }: Settings = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tenacitty-http-'));
  const logLines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });
  const host = http?.host ?? '127.0.0.1';
  const manager = new LocalTerminalManager({ defaultShell: '/bin/sh', killGraceMs: 300, ...engine });
  const { maxWaitingReads } = { ...DEFAULT_ENGINE_OPTIONS, ...engine };
  const hooks = new Hooks({ ...HOOKS, dataDir, manager, maxWaitingReads, ...hookOptions });
  const deps: HttpDeps = {
    manager,
    hooks,
    gate: inRole(createGate({ ...GATE, host, dataDir, ...gate }), role),
    log,
    host,
    port: 0,
    pageDir: join(import.meta.dirname, '..', '..', 'dist', 'page'),
    maxBodyBytes: MAX_BODY_BYTES,
    maxWaitingReads,
    keys: new IdempotencyKeys(join(dataDir, 'idempotency')),
    logReads: true,
    trustedProxies: gate?.trustedProxies ?? [],
    version: VERSION,
    place: 'test',
    placeProblems: () => ({ terminals: undefined, keys: undefined }),
    ...(mounts && { mounts: mounts(manager) }),
    ...http,
  };
  const server = await startHttp(deps);
  if (hookOptions !== undefined) hooks.start();
  const started = {
    deps,
    hooks,
    url: server.url,
    port: server.port,
    close: () => server.close(),
    manager,
    logLines,
    dataDir,
    api: new ApiClient(server.url),
    async stop(): Promise<void> {
      if (!running.delete(started)) return;
      await server.close();
      await hooks.close();
      await manager.shutdown(SHUTDOWN_GRACE_MS);
      rmSync(dataDir, { recursive: true });
    },
  };
  running.add(started);
  return started;
}

function inRole(gate: Gate, role: Role | undefined): Gate {
  if (role === undefined) return gate;
  return {
    ...gate,
    async admit(request, asked) {
      const admission = await gate.admit(request, asked);
      if (admission.outcome !== 'admitted') return admission;
      return { ...admission, principal: { ...admission.principal, role } };
    },
  };
}

export type ServerUnderTest = Awaited<ReturnType<typeof startServer>>;

const HOOKS = {
  policy: null,
  withheldEnv: [],
  placeEnv: {},
  claim: () => true,
  isAccepted: () => true,
  log: () => {},
} as const;

const GATE = {
  allowedHosts: [],
  corsOrigins: '*',
  apiKeyHashes: [],
  trustLocal: true,
  rateLimitPerMinute: 0,
  trustedProxies: [],
} as const;
