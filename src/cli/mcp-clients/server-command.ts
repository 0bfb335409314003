/**
 * Builds the command that a client uses to start tenacitty. Clients start it with few of the person's environment
 * variables and in any directory.
 */
import { realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { CODE } from '../../package-paths.js';
import { IS_PUBLISHED } from '../published.js';
import type { UserContext } from './user-context.js';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether its first start may require a download. */
  readonly isDownloaded: boolean;
}

/** The person's choices for the command. */
export interface ServerCommandOptions {
  /** Program to start instead of this installation's own. */
  readonly program: string | undefined;
  readonly npx: boolean;
  readonly workspace: string | undefined;
  readonly onClose?: string | undefined;
  /** Settings, as flags such as `--data-dir=/srv/x`. */
  readonly settings: readonly string[];
}

const MAIN = join(CODE, 'cli', 'main.js');
/** Matches a path in the npx cache, which npx cleans up. */
const NPX_CACHE = /\/_npx\//;
const PATHS = [
  '--data-dir',
  '--runtime-dir',
  '--settings-file',
  '--log-file',
  '--command-policy-file',
  '--tls-cert',
  '--tls-key',
];

export function serverCommand(
  options: ServerCommandOptions,
  where: UserContext,
  main = MAIN,
  isPublished = IS_PUBLISHED,
): ServerCommand {
  const { workspace, onClose, settings } = options;
  const own = settings.map((setting) => withFullPath(setting, where));
  const serving = [...flag('--workspace', workspace), ...flag('--on-close', onClose)];
  const args = ['mcp', ...serving, ...own];
  const isDownloaded = options.program === undefined && isPublished && (options.npx || NPX_CACHE.test(main));
  if (options.program !== undefined) return { command: fullPath(options.program, where), args, isDownloaded };
  if (isDownloaded) return { command: 'npx', args: ['-y', 'tenacitty', ...args], isDownloaded };
  return { command: node(where), args: [main, ...args], isDownloaded };
}

/**
 * Resolves a path, because a relative one would be useless to the client. Returns a name without a slash unchanged: the
 * client looks it up in PATH.
 */
function fullPath(program: string, { cwd }: UserContext): string {
  return program.includes('/') ? resolve(cwd, program) : program;
}

function withFullPath(setting: string, { cwd, home }: UserContext): string {
  const [flag = '', path = ''] = setting.split(/=(.*)/s);
  if (!PATHS.includes(flag)) return setting;
  return `${flag}=${resolve(cwd, path.replace(/^~(?=\/|$)/, home))}`;
}

/**
 * Returns the path of node. Prefers a path from PATH, which stays the same when Homebrew and similar tools update node.
 */
function node({ env }: UserContext): string {
  const own = realpathSync(process.execPath);
  const directories = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  return directories.map((directory) => join(directory, 'node')).find((path) => isSame(path, own)) ?? process.execPath;
}

function isSame(path: string, own: string): boolean {
  try {
    return realpathSync(path) === own;
  } catch {
    // Most directories in PATH do not contain node.
    return false;
  }
}

function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}
