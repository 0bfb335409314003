/**
 * Settings, resolved once: flags, then environment, then the terminal we are in, then the settings file, then
 * defaults, into one frozen `Options` that is passed down. The only reader of settings; nothing is printed here and
 * nothing is put into the environment.
 */
import { checkPlace, checkSettings } from './config/checks.js';
import { readEnvFile } from './config/env-file.js';
import type { EnvFile } from './config/env-file.js';
import { parseFlags } from './config/flags.js';
import type { Flags } from './config/flags.js';
import { buildOptions } from './config/options.js';
import type { Options } from './config/options.js';
import { flagOf, PLACE_VARIABLES, SETTING_NAMES, SETTINGS } from './config/settings.js';
import type { SettingName, SettingValues } from './config/settings.js';
import { TerminalError } from './errors.js';
import type { InputIssue } from './errors.js';

export type { Options } from './config/options.js';

/** Where settings are looked for; each can be replaced, so that a library user stays in control. */
export interface SettingSources {
  /** Command-line words after the command. Default: none. */
  readonly argv?: readonly string[];
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where `.env` is looked for and relative paths start. Default: the working directory. */
  readonly cwd?: string;
  /**
   * false: for a command that does not listen, so that for example the first key can be made while HOST
   * still asks for one. What cannot be used in a `.env` that was not named then counts as not set. Default: true.
   */
  readonly isServing?: boolean;
  /** false: for who looks whether DATA_DIR can be used, and says so in other words. Default: true. */
  readonly isPlaceNeeded?: boolean;
}

export interface ResolvedOptions {
  readonly options: Options;
  /** Things the user should know that did not stop the start. */
  readonly warnings: readonly string[];
}

interface Given {
  readonly text: string;
  readonly origin: string;
}

/**
 * Finds, checks and freezes all settings.
 *
 * An empty environment variable or line counts as not set. The settings file is `.env` in `cwd`, if
 * there is one, or the one named by the flag `--settings-file`.
 *
 * @returns The options, where each value came from (`options.origins`), and warnings.
 * @throws {TerminalError} `INVALID_INPUT` with every bad setting at once: its name, what was given,
 * what was expected, and where it was given.
 */
export function resolveOptions(sources: SettingSources = {}): ResolvedOptions {
  const { argv = [], env = process.env, cwd = workingDirectory(), isServing = true, isPlaceNeeded = true } = sources;
  const flags = parseFlags(argv);
  const file = readEnvFile(cwd, flags.envFile);
  const given = new Map(SETTING_NAMES.map((name) => [name, find(name, flags, env, file)]));
  const originOf = (name: SettingName) => given.get(name)?.origin ?? 'default';
  const { values, issues } = readValues(given);
  const options = buildOptions({ values, originOf, env, cwd, envFile: file.path });
  // A command that is used in any directory must not fail for what some project's .env says of other things.
  const isForeign = ({ field }: InputIssue) =>
    !isServing && flags.envFile === undefined && originOf(field as SettingName).startsWith('file ');
  const serious = issues.filter((issue) => !isForeign(issue));
  const problems = [
    ...flags.issues,
    ...serious,
    ...(isPlaceNeeded ? checkPlace(options) : []),
    ...(isServing ? checkSettings(values, options) : []),
  ];
  if (problems.length > 0) throw badSettings(problems);
  return { options, warnings: file.warnings };
}

/** A command is of use even where the directory it is called in was removed. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

function find(
  name: SettingName,
  flags: Flags,
  env: Readonly<Record<string, string | undefined>>,
  file: EnvFile,
): Given | undefined {
  const flag = flags.values.get(name);
  if (flag !== undefined) return { text: flag, origin: `flag ${flagOf(name)}` };
  if (env[name]) return { text: env[name], origin: 'environment' };
  const surrounding = surroundingPlace(name, env);
  if (surrounding !== undefined) return surrounding;
  const line = file.values.get(name);
  return line && { text: line.text, origin: `file ${line.where}` };
}

/** What the terminal that we are in says of where it is held. */
function surroundingPlace(name: SettingName, env: Readonly<Record<string, string | undefined>>): Given | undefined {
  if (name !== 'DATA_DIR' && name !== 'RUNTIME_DIR') return undefined;
  const variable = PLACE_VARIABLES[name];
  return env[variable] ? { text: env[variable], origin: `environment, as ${variable}` } : undefined;
}

/** A bad value is reported and its default goes on in its place, so that everything else is checked too. */
function readValues(given: ReadonlyMap<SettingName, Given | undefined>): {
  values: SettingValues;
  issues: InputIssue[];
} {
  const values: Record<string, unknown> = {};
  const issues: InputIssue[] = [];
  for (const [name, value] of given) {
    const { schema, expected, fallback } = SETTINGS[name];
    const parsed = value && schema.safeParse(value.text);
    if (value && parsed?.success === false) issues.push(badValue(name, value, expected));
    if (parsed?.success) values[name] = parsed.data;
    else if (fallback !== null) values[name] = schema.parse(fallback);
  }
  return { values: values as SettingValues, issues };
}

function badValue(field: SettingName, { text, origin }: Given, expected: string): InputIssue {
  return { field, given: text, expected, message: `is ${JSON.stringify(text)} (${origin}); expected ${expected}` };
}

function badSettings(issues: readonly InputIssue[]): TerminalError {
  const lines = issues.map(({ field, message }) => `  ${field} ${message}`);
  const title = issues.length === 1 ? 'A setting cannot be used:' : `${issues.length} settings cannot be used:`;
  return new TerminalError('INVALID_INPUT', [title, ...lines].join('\n'), { issues });
}
