/** Formats the server's startup message. Pure. */
import { exposure } from '../config/exposure.js';
import type { Options } from '../config.js';
import { SETTING_NAMES } from '../config/settings.js';
import { VERSION } from '../version.js';

interface Process {
  readonly pid: number;
  /** The command to type to run tenacitty. */
  readonly command: string;
}

/**
 * Returns several human-readable lines: the address, how to try the server, where it keeps data and how to stop it.
 *
 * @param link - A link that signs in. Default: the command that prints one.
 */
export function banner(
  url: string,
  options: Options,
  { pid, command }: Process,
  problems: readonly string[] = [],
  link?: string,
): string {
  const { interfaces, warning } = exposure(options);
  const rows: readonly (readonly [string, string])[] = [
    ...problems.map((problem) => ['WRONG', problem] as const),
    ...(warning === undefined ? [] : [['WARNING', warning] as const]),
    ['Page', link === undefined ? `${command} open --print` : `${link} (works once, within ten minutes)`],
    ['Try', curlLine(url, options)],
    ['Docs', `${url}/docs (${interfaces === undefined ? 'in a browser' : 'with a key'}), ${url}/llms.txt (for agents)`],
    ['Keys', `needed by other users and other machines: ${command} key create`],
    ['Settings', settingsFrom(options)],
    ...(options.commandPolicyFile === null
      ? []
      : [['Policy', `${options.commandPolicyFile} defines what may run`] as const]),
    ['Data', options.dataDir],
    ['Log', options.logFile ?? 'here (stderr)'],
    ['Stop', `Ctrl-C, or kill ${pid}; ${stopWords(options, command)}`],
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`);
  const listens = interfaces === undefined ? '' : ` (reachable from other machines: it listens on ${interfaces})`;
  return [`tenacitty ${VERSION} is at ${url}${listens}`, '', ...lines, '', ''].join('\n');
}

function stopWords({ persistent }: Options, command: string): string {
  return persistent
    ? `terminals keep running (to end them: ${command} kill --all)`
    : 'terminals end too; a second time forces it';
}

function curlLine(url: string, { trustLocal }: Options): string {
  const canTrust = trustLocal && process.platform === 'linux';
  const key = canTrust ? '' : ' -H "X-API-Key: $API_KEY"';
  return `curl -sS -X POST ${url}/api/terminals -H "Content-Type: application/json"${key} -d '{}'`;
}

/**
 * Names the settings file and the settings that it changes, so that a settings file that came with a project does not
 * go unnoticed.
 */
function settingsFrom({ envFile, origins }: Options): string {
  if (envFile === null) return 'flags and environment (no .env file)';
  const changed = SETTING_NAMES.filter((name) => origins[name].startsWith('file '));
  return `${envFile} (${changed.join(', ') || 'sets nothing in effect'})`;
}
