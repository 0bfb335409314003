/** Checks the machine and the user's environment. */
import { accessSync, constants, lstatSync, statfsSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { readPolicyFile } from '../../access/policy/policy-file.js';
import { dataDirectoryProblem } from '../../data-directory.js';
import { isExecutable } from '../../file-access.js';
import { loginShell } from '../../user-name.js';
import type { Options } from '../../config.js';
import { placeProblem } from '../../config/checks.js';
import { placeProblems } from '../../config/place.js';
import { note, ok, reasonOf, wrong } from './finding.js';
import type { Finding } from './finding.js';

const OLDEST_NODE = [20, 19] as const;
const GROUP_AND_OTHERS = 0o077;
const MIB = 1 << 20;
/** Minimum free disk space: with less, one or two histories could fill the disk. */
const MIN_FREE_BYTES = 256 * MIB;

export function checkPlatform(): Finding {
  const what = 'platform';
  const { platform, arch } = process;
  if (platform !== 'linux' && platform !== 'darwin') {
    return wrong(what, `${platform} ${arch}: Linux or macOS is required; on Windows use WSL`);
  }
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  if (platform === 'darwin') return ok(what, `${platform} ${arch}`);
  const glibc = header.glibcVersionRuntime;
  if (glibc === undefined)
    return wrong(what, 'glibc is required, but this system has another C library (musl, as in Alpine?)');
  return ok(what, `${platform} ${arch}, glibc ${glibc}`);
}

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const says = `${version} (${process.execPath})`;
  return isOld ? wrong('Node', `${says}: ${OLDEST_NODE.join('.')} or newer is required`) : ok('Node', says);
}

/** Checks whether a server would start with this policy. */
export function checkPolicy({ commandPolicyFile }: Options): Finding {
  const what = 'policy';
  if (commandPolicyFile === null)
    return note(what, 'none: every client with access can run anything that you can (docs/policy.md)');
  try {
    readPolicyFile(commandPolicyFile);
    return ok(what, commandPolicyFile);
  } catch (error) {
    return wrong(what, reasonOf(error));
  }
}

/** Checks the directory for the sockets of host processes; see TENACITTY_RUNTIME_DIR. */
export function checkRuntimeDirectory({ runtimeDir, persistent }: Options): Finding {
  const what = 'runtime directory';
  if (!persistent) return note(what, 'not used: TENACITTY_PERSISTENT is false, so terminals end with the server');
  const stats = lstatSync(runtimeDir, { throwIfNoEntry: false });
  if (!stats) return checkMaking(what, runtimeDir);
  if (!stats.isDirectory())
    return wrong(what, `${runtimeDir} is not a directory: remove it, or set TENACITTY_RUNTIME_DIR`);
  if (stats.uid !== process.getuid?.())
    return wrong(what, `${runtimeDir} belongs to uid ${stats.uid}: set TENACITTY_RUNTIME_DIR`);
  if (stats.mode & GROUP_AND_OTHERS)
    return wrong(what, `${runtimeDir} is accessible to other users: chmod 700 ${runtimeDir}`);
  return ok(what, runtimeDir);
}

export function checkDataDirectory({ dataDir }: Options): Finding {
  const what = 'data directory';
  try {
    const stats = statSync(dataDir, { throwIfNoEntry: false });
    if (!stats) return checkMaking(what, dataDir);
    if (!stats.isDirectory())
      return wrong(what, `${dataDir} is not a directory: set TENACITTY_DATA_DIR to a directory`);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const problem = dataDirectoryProblem(dataDir);
    if (problem !== null) return wrong(what, `${problem} (or set TENACITTY_DATA_DIR to another directory)`);
    const { bavail, bsize } = statfsSync(dataDir);
    const free = bavail * bsize;
    const says = `${dataDir}, ${Math.floor(free / MIB)} MiB free`;
    return free < MIN_FREE_BYTES
      ? wrong(what, `${says}: too little for history, which is then kept in memory`)
      : ok(what, says);
  } catch (error) {
    return wrong(what, `${dataDir} cannot be used: ${reasonOf(error)}; repair it, or set TENACITTY_DATA_DIR`);
  }
}

export function checkKeys(options: Options): Finding {
  const { keys } = placeProblems(options);
  return keys === undefined ? ok('keys', 'the key file is usable') : wrong('keys', `no API key is accepted: ${keys}`);
}

/** Checks whether a missing directory can be created when it is needed. */
function checkMaking(what: string, path: string): Finding {
  const problem = placeProblem(path);
  if (problem !== undefined) return wrong(what, `${path} does not exist and cannot be created: ${problem}`);
  let parent = dirname(path);
  while (parent !== dirname(parent) && !statSync(parent, { throwIfNoEntry: false })) parent = dirname(parent);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    return ok(what, `${path}, created when needed`);
  } catch (error) {
    return wrong(what, `${path} does not exist and cannot be created in ${parent}: ${reasonOf(error)}`);
  }
}

export function checkShell({ engine: { defaultShell } }: Options): Finding {
  const shell = defaultShell || (loginShell() ?? '');
  if (shell === '') return note('shell', 'no TENACITTY_SHELL_PATH and no login shell: /bin/bash or /bin/sh is used');
  const isFound = shell.includes('/') ? isExecutable(shell) : onPath(shell);
  return isFound
    ? ok('shell', shell)
    : wrong('shell', `${shell} does not exist or is not executable: set TENACITTY_SHELL_PATH`);
}

function onPath(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((directory) => isExecutable(join(directory, name)));
}

/**
 * Checks the locale. Programs use the first of these variables that is set. Without UTF-8, they print `?` for letters
 * beyond ASCII.
 */
export function checkLocale(env: Readonly<Record<string, string | undefined>> = process.env): Finding {
  const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((candidate) => env[candidate]);
  if (name === undefined) return ok('locale', 'none set: programs get a UTF-8 locale');
  const says = `${name}=${env[name]}`;
  return /utf-?8/i.test(env[name]!)
    ? ok('locale', says)
    : note('locale', `${says} is not UTF-8: some characters may be printed as ?`);
}
