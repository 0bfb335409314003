/**
 * Checks what a setting's own schema cannot: whether files are usable, and whether settings are consistent with each
 * other. Reads the disk; changes nothing.
 */
import { readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isLoopbackHost } from '../access/loopback.js';
import { hasExpired, readKeyFile } from '../access/key-file.js';
import { readPolicyFile } from '../access/policy/policy-file.js';
import { dataDirectoryProblem } from '../data-directory.js';
import type { InputIssue } from '../errors.js';
import { isExecutable } from '../file-access.js';
import type { Options } from './options.js';
import type { SettingValues } from './settings.js';

/**
 * Returns all problems with the settings as a whole, most importantly a server that is reachable without
 * authentication.
 */
export function checkSettings(values: SettingValues, options: Options): InputIssue[] {
  return [
    ...checkPendingInput(options),
    ...checkShell(options),
    ...checkPolicy(options),
    ...checkTlsPair(values, options),
    ...checkTls(options),
    ...checkExposure(options),
  ];
}

/** Kernel file systems that do not allow creating anything: procfs and sysfs, by their types in statfs(2). */
const CLOSED_FILE_SYSTEMS: readonly number[] = process.platform === 'linux' ? [0x9fa0, 0x62656572] : [];

/**
 * Checks that TENACITTY_DATA_DIR is usable, and that no other user could have written to it: if one could, no list of
 * terminals could be trusted.
 */
export function checkPlace({ dataDir, origins, persistent }: Options): InputIssue[] {
  if (!persistent) return [];
  const problem = placeProblem(dataDir) ?? intrusionProblem(dataDir);
  if (problem === undefined) return [];
  const expected = 'a directory that you own and that others cannot write to, or a path where one can be created';
  const message = `is ${JSON.stringify(dataDir)} (${origins.TENACITTY_DATA_DIR}), but ${problem}; expected ${expected}`;
  return [{ field: 'TENACITTY_DATA_DIR', given: dataDir, expected, message }];
}

/**
 * Returns why there can be no directory at a path; undefined if there can be one. Examines the part of the path that
 * exists. Missing permissions are reported only when the directory is created.
 */
export function placeProblem(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return placeProblem(dirname(path));
    if (!stats.isDirectory()) return `${path} is not a directory`;
    if (CLOSED_FILE_SYSTEMS.includes(statfsSync(path).type)) return `nothing can be created in ${path}`;
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return placeProblem(dirname(path));
    // This user has no permission to examine it. The code that needs the directory reports that.
    return undefined;
  }
}

function intrusionProblem(path: string): string | undefined {
  try {
    return dataDirectoryProblem(path) ?? undefined;
  } catch {
    // This user has no permission to examine it. The code that needs the directory reports that.
    return undefined;
  }
}

function checkPendingInput({ engine, origins }: Options): InputIssue[] {
  const { maxInputBytes, maxPendingInputBytes: given } = engine;
  if (given >= maxInputBytes) return [];
  const message = `is ${given} (${origins.TENACITTY_MAX_PENDING_INPUT_BYTES}); expected at least TENACITTY_MAX_INPUT_BYTES, ${maxInputBytes}`;
  return [{ field: 'TENACITTY_MAX_PENDING_INPUT_BYTES', given, message }];
}

function checkShell({ engine, origins }: Options): InputIssue[] {
  const shell = engine.defaultShell;
  if (origins.TENACITTY_SHELL_PATH === 'default' || !shell.includes('/') || isExecutable(shell)) return [];
  const message = `is ${JSON.stringify(shell)} (${origins.TENACITTY_SHELL_PATH}); expected an executable file`;
  return [{ field: 'TENACITTY_SHELL_PATH', given: shell, message }];
}

function checkPolicy({ commandPolicyFile, origins }: Options): InputIssue[] {
  if (commandPolicyFile === null) return [];
  try {
    readPolicyFile(commandPolicyFile);
    return [];
  } catch (error) {
    const message = `(${origins.TENACITTY_COMMAND_POLICY_FILE}): ${(error as Error).message}`;
    return [{ field: 'TENACITTY_COMMAND_POLICY_FILE', given: commandPolicyFile, message }];
  }
}

function checkTlsPair(
  { TENACITTY_TLS_CERT: cert, TENACITTY_TLS_KEY: key }: SettingValues,
  { origins }: Options,
): InputIssue[] {
  if ((cert === undefined) === (key === undefined)) return [];
  const [present, missing] =
    key === undefined
      ? (['TENACITTY_TLS_CERT', 'TENACITTY_TLS_KEY'] as const)
      : (['TENACITTY_TLS_KEY', 'TENACITTY_TLS_CERT'] as const);
  const message = `is not set, but ${present} is (${origins[present]}); set both or neither`;
  return [{ field: missing, message }];
}

function checkTls({ tls, origins }: Options): InputIssue[] {
  if (!tls) return [];
  try {
    // Loaded only for HTTPS, because it would add several milliseconds to every startup.
    const { createSecureContext } = process.getBuiltinModule('node:tls');
    createSecureContext({ cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) });
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `(${origins.TENACITTY_TLS_CERT}) and TENACITTY_TLS_KEY (${origins.TENACITTY_TLS_KEY}) cannot be used for HTTPS: ${reason}`;
    return [{ field: 'TENACITTY_TLS_CERT', message }];
  }
}

/** Checks that a server reachable from other machines has an API key. */
function checkExposure(options: Options): InputIssue[] {
  const { host, origins, apiKeyHashes, dataDir } = options;
  if (isLoopbackHost(host) || apiKeyHashes.length > 0) return [];
  const keys = readKeyFile(dataDir);
  if (keys.keys.some((key) => !hasExpired(key))) return [];
  const why = keys.problem ?? (keys.keys.length > 0 ? 'all API keys have expired' : 'there is no API key yet');
  const message =
    `is ${host} (${origins.TENACITTY_HOST}), which other machines can reach, but ${why}. Create a key with \`npm ` +
    'run key -- create` (installed: `tenacitty key create`), or set TENACITTY_API_KEY_SHA256, or use ' +
    'TENACITTY_HOST=127.0.0.1';
  return [{ field: 'TENACITTY_HOST', given: host, message }];
}
