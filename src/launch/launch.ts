/**
 * Turns a caller's request into a plan that can be started: the program's path, directory and environment. Checks each
 * of them, so that a request that cannot work fails with an error that names the cause, and not with a terminal that
 * ends immediately. Starts nothing.
 */
import { basename, isAbsolute, resolve } from 'node:path';
import { MAX_ARGUMENT_BYTES } from '../contract/terminal.js';
import { invalidInput, limitReached, type TerminalError } from '../errors.js';
import { loginShell } from '../user-name.js';
import { buildEnvironment, RESERVED_NAME } from './environment.js';
import type { PerTerminalOptions } from '../contract/options.js';
import { ABSENT, findProgram, isAccessible, quote, statOrNull, tildeHint, type SearchContext } from './program.js';

export interface LaunchRequest {
  readonly shell?: string | undefined;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface LaunchDefaults {
  /** Shell to start by default; empty means the login shell. */
  readonly defaultShell: string;
  /** Maximum size of the environment variables that a caller adds, in bytes. */
  readonly maxEnvBytes: number;
  /** Names of environment variables withheld from programs. */
  readonly withheldEnv: readonly string[];
  /** Environment variables that every program receives. Default: none. */
  readonly placeEnv?: Readonly<Record<string, string>>;
  readonly terminalId: string;
  /**
   * The requesting process, whose environment is inherited and whose directory relative paths are relative to. Default:
   * this process.
   */
  readonly asker?: RequestingProcess | undefined;
}

/** The process on whose behalf a program is started. */
export interface RequestingProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** Values for this terminal that override the manager's own options. */
  readonly settings?: Partial<PerTerminalOptions> | undefined;
}

/** Everything needed to start a program. Both paths are absolute. */
export interface LaunchPlan {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The search path if PATH is not set, as in execvp(3). */
const DEFAULT_PATH = '/bin:/usr/bin';

/** Shells to try if none is requested or configured and the user has no usable login shell. */
const LAST_RESORT_SHELLS = ['/bin/bash', '/bin/sh'];

/** Login shells of accounts that are not meant to log in. */
const NO_LOGIN_SHELLS = ['nologin', 'false'];

/** Linux's limit for all arguments and variables combined: a quarter of the usual stack limit, minus a margin. */
const MAX_EXEC_BYTES = 2 * 1024 * 1024 - 16 * 1024;
/** Space that each argument takes in addition to its text: a terminating NUL and a pointer. */
const ARGUMENT_OVERHEAD_BYTES = 9;

/**
 * Resolves a caller's request. A name without a slash is looked up on the PATH that the program will have. A relative
 * program path is resolved against `cwd`, and a relative `cwd` against the directory of the requesting process. `~` is
 * not expanded. A shell gets only the given arguments: it is not a login shell, and decides by its terminal and
 * arguments whether it is interactive.
 *
 * @throws `INVALID_INPUT` naming `shell`, `command`, `cwd`, `args` or `env`, whichever cannot be used; `LIMIT_REACHED`
 * if `env` is larger than `maxEnvBytes`.
 */
export function resolveLaunch(request: LaunchRequest, defaults: LaunchDefaults): LaunchPlan {
  const { args = [], env: requested = {} } = request;
  checkEnvironmentSize(requested, defaults.maxEnvBytes);
  checkEnvironmentNames(requested);
  const { withheldEnv: withheld, placeEnv: place, terminalId, asker } = defaults;
  const cwd = resolveDirectory(request.cwd, asker);
  const inherited = asker?.env ?? process.env;
  const env = buildEnvironment({ inherited, withheld, place, requested: requested, cwd, terminalId });
  const file = resolveFile(request, defaults.defaultShell, { cwd, path: env.PATH ?? DEFAULT_PATH });
  checkExecSize(file, args, env);
  return { file, args, cwd, env };
}

function resolveFile({ shell, command }: LaunchRequest, defaultShell: string, place: SearchContext): string {
  if (command !== undefined) return findOrThrow('command', command, command, place);
  if (shell !== undefined) return findOrThrow('shell', shell, shell, place);
  if (defaultShell !== '') return findOrThrow('shell', defaultShell, undefined, place);
  for (const candidate of [usableLoginShell(), ...LAST_RESORT_SHELLS]) {
    const found = candidate === null ? null : findProgram(candidate, place);
    if (found && 'file' in found) return found.file;
  }
  const message = `no shell found: neither the login shell nor ${LAST_RESORT_SHELLS.join(', ')}`;
  throw invalidInput({ field: 'shell', message, expected: 'the path of a shell' });
}

function findOrThrow(field: string, program: string, given: string | undefined, place: SearchContext): string {
  const found = findProgram(program, place);
  if ('file' in found) return found.file;
  const { message: reason, expected } = found.refusal;
  const message = reason + blanksHint(field, program);
  if (given === undefined) throw invalidInput({ field, message: `the default shell: ${message}`, expected });
  throw invalidInput({ field, message, given, expected });
}

/** Returns a hint for a program name that is a command line meant for a shell; otherwise an empty string. */
function blanksHint(field: string, program: string): string {
  if (!/\s/.test(program.trim())) return '';
  const what = field === 'command' ? ', or use exec, which runs the whole line in a shell' : '';
  return `; it contains spaces, but no shell splits it: give the arguments in \`args\`${what}`;
}

function resolveDirectory(given: string | undefined, asker: RequestingProcess | undefined): string {
  const cwd = isAbsolute(given ?? '') ? resolve(given ?? '') : resolve(asker?.cwd ?? serverDirectory(), given ?? '.');
  const stats = statOrNull(cwd);
  if (!stats) throw refuseDirectory(`${quote(cwd)} ${ABSENT}${tildeHint(given ?? '')}`, given);
  if (!stats.isDirectory()) throw refuseDirectory(`${quote(cwd)} is not a directory`, given);
  if (!isAccessible(cwd)) throw refuseDirectory(`${quote(cwd)} cannot be entered by this user`, given);
  return cwd;
}

function serverDirectory(): string {
  try {
    return process.cwd();
  } catch {
    // ENOENT: it was removed while the server was running.
    throw refuseDirectory('the directory that the server was started in no longer exists', undefined);
  }
}

function refuseDirectory(message: string, given: string | undefined): TerminalError {
  const expected = 'the full path of a directory that can be entered';
  return invalidInput({ field: 'cwd', message, ...(given === undefined ? {} : { given }), expected });
}

function usableLoginShell(): string | null {
  const shell = loginShell();
  return shell && !NO_LOGIN_SHELLS.includes(basename(shell)) ? shell : null;
}

function checkEnvironmentSize(requested: Readonly<Record<string, string>>, maxEnvBytes: number): void {
  const bytes = Object.entries(requested).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(`${name}=${value}\0`),
    0,
  );
  if (bytes > maxEnvBytes) throw limitReached('TENACITTY_MAX_ENV_BYTES', maxEnvBytes, `env is ${bytes} bytes`);
}

function checkEnvironmentNames(requested: Readonly<Record<string, string>>): void {
  const name = Object.keys(requested).find((one) => one.includes(RESERVED_NAME));
  if (name === undefined) return;
  const message = `names that contain ${RESERVED_NAME} are reserved for shell integration`;
  throw invalidInput({ field: `env.${name}`, message, expected: `a name without ${RESERVED_NAME}` });
}

/**
 * Rejects arguments and variables that are too long for the kernel. The kernel would reject them only when the program
 * starts, when the reason can no longer be reported.
 */
function checkExecSize(file: string, args: readonly string[], env: Readonly<Record<string, string>>): void {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const tooLong = (text: string): boolean => Buffer.byteLength(text) >= MAX_ARGUMENT_BYTES;
  const longArgument = args.findIndex(tooLong);
  if (longArgument >= 0) throw refuseSize(`args[${longArgument}]`, MAX_ARGUMENT_BYTES);
  const longVariable = variables.findIndex(tooLong);
  if (longVariable >= 0) throw refuseSize(`env.${Object.keys(env)[longVariable]}`, MAX_ARGUMENT_BYTES);
  const all = [file, file, ...args, ...variables];
  const total = all.reduce((sum, text) => sum + Buffer.byteLength(text) + ARGUMENT_OVERHEAD_BYTES, 0);
  if (total > MAX_EXEC_BYTES) throw refuseSize('args', MAX_EXEC_BYTES);
}

function refuseSize(field: string, maxBytes: number): TerminalError {
  const whole = field === 'args' ? ' together with the environment' : '';
  return invalidInput({
    field,
    message: `too long for the operating system${whole}; pass large data in a file`,
    expected: `less than ${maxBytes} bytes${whole}`,
  });
}
