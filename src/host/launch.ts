/**
 * Starts a host process that is independent of this process: it outlives this process, is not its descendant, and under
 * systemd runs in a scope of its own, so that stopping the unit does not end the terminals.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { TerminalError } from '../errors.js';
import { CODE } from '../package-paths.js';
import type { EngineLog } from '../contract/options.js';
import { hostOutcome } from './options.js';
import type { HostOptions, HostOutcome } from './options.js';
import { logPath, makePrivate } from './runtime-directory.js';

/**
 * Environment variables that a host itself needs. Each terminal's environment is sent with the request to create it.
 */
const INHERITED =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS)$/;
const SYSTEMD_RUN = '/usr/bin/systemd-run';
/**
 * The intermediate shell exits at once, which leaves the host without a parent here, so that killing the starter's
 * descendants does not affect it.
 */
const APART = '"$@" <&3 3<&- &';
const LOG_TAIL_BYTES = 2000;

export interface HostLaunch {
  readonly options: HostOptions;
  /** Arguments for Node. */
  readonly program: readonly string[];
  readonly timeoutMs: number;
  readonly log: EngineLog;
}

/** Returns the default arguments for Node: the hosts' `main` file, loaded in the same way as this file. */
export function defaultHostProgram(): readonly string[] {
  const extension = extname(import.meta.filename) === '.ts' ? '.ts' : '.js';
  const main = join(CODE, 'host', `main${extension}`);
  // Compiled code needs no loader. Loaders in use belong to the embedding program and may be resolvable only from its
  // directory.
  return extension === '.js' ? [main] : [...loaders(), main];
}

function loaders(): string[] {
  return process.execArgv.flatMap((value, index, all) => {
    const isLoader = /^--(?:import|require|loader)$/.test(value);
    return isLoader ? [value, all[index + 1]!] : [];
  });
}

/**
 * Resolves when the host is serving, or when another host already owns its slot.
 *
 * @throws `HOST_FAILED` with the end of the host's log if it does not start in time.
 */
export async function launchHost(launch: HostLaunch): Promise<'serving' | 'taken'> {
  const { dataDir, slot } = launch.options;
  makePrivate(dirname(logPath(dataDir, slot)), 'TENACITTY_DATA_DIR');
  const outcome = (await runInScope(launch)) ?? (await run([process.execPath], launch));
  if (outcome?.outcome === 'serving' || outcome?.outcome === 'taken') return outcome.outcome;
  const reason = outcome?.message ?? logTail(logPath(dataDir, slot));
  throw new TerminalError('HOST_FAILED', `The host process did not start: ${reason}`, { slot });
}

/** Runs the host in a scope. Resolves to null if this process is not a systemd unit, or if systemd refuses. */
async function runInScope(launch: HostLaunch): Promise<HostOutcome | null> {
  const isUnit = process.env['INVOCATION_ID'] !== undefined && existsSync('/run/systemd/system');
  if (!isUnit || !existsSync(SYSTEMD_RUN)) return null;
  const whose = process.getuid?.() === 0 ? [] : ['--user'];
  const outcome = await run([SYSTEMD_RUN, '--quiet', '--collect', '--scope', ...whose, process.execPath], launch);
  if (outcome === null) {
    const message = 'systemd created no separate scope for the host process; stopping the unit will end its terminals';
    launch.log('warn', message, { slot: launch.options.slot });
  }
  return outcome;
}

/** Runs the host. Resolves to null if it exited or the time expired before it reported anything. */
async function run(
  command: readonly string[],
  { options, program, timeoutMs }: HostLaunch,
): Promise<HostOutcome | null> {
  const log = openSync(logPath(options.dataDir, options.slot), 'a', 0o600);
  const child = spawn('/bin/sh', ['-c', APART, 'sh', ...command, ...program], {
    cwd: '/',
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => INHERITED.test(name))),
    detached: true,
    stdio: ['ignore', 'pipe', log, 'pipe'],
  });
  closeSync(log);
  const stdin = child.stdio[3] as Writable;
  // It may exit before it has read anything; the end of its stdout reports that.
  stdin.on('error', () => {});
  stdin.end(JSON.stringify(options));
  const output = await readAll(child.stdout!, timeoutMs);
  return output === '' ? null : hostOutcome.parse(JSON.parse(output));
}

/** Reads until the end of the stream or the timeout. */
function readAll(stream: Readable, timeoutMs: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const timer = setTimeout(() => stream.destroy(), timeoutMs);
    stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    stream.on('error', () => {});
    stream.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}

function logTail(path: string): string {
  try {
    return `its log ${path} ends with: ${readFileSync(path, 'utf8').slice(-LOG_TAIL_BYTES).trim() || '(no output)'}`;
  } catch (error) {
    return `its log cannot be read: ${(error as Error).message}`;
  }
}
