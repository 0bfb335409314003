/**
 * Settings, resolved once: flags, then environment, then the settings file, then defaults, into one frozen `Options` that is passed down. The only reader of settings; nothing is printed here and
 * nothing is put into the environment.
 */
import { checkPlace, checkSettings } from './config/checks.js';
import { readEnvFile } from './config/env-file.js';
import type { EnvFile } from './config/env-file.js';
import { parseFlags } from './config/flags.js';
import type { Flags } from './config/flags.js';
import { buildOptions } from './config/options.js';
import type { Options } from './config/options.js';
import {
  bareNameOf,
  flagOf,
  isSettingName,
  nearestSetting,
  PREFIX,
  SETTING_NAMES,
  SETTINGS,
} from './config/settings.js';
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
  /** Where relative paths start. Default: the working directory. */
  readonly cwd?: string;
  /**
   * false: for a command that does not listen, so that for example the first key can be made while TENACITTY_HOST
   * still asks for one. Default: true.
   */
  readonly isServing?: boolean;
  /**
   * true: `BARE_NAMES` count without their prefix, and so does a file `.env` in `cwd`. For a process that is nothing but a
   * server: elsewhere PORT and `.env` are for the program that is started, or the project one stands in. Default: false.
   */
  readonly takesBareNames?: boolean;
  /** false: for who looks whether TENACITTY_DATA_DIR can be used, and says so in other words. Default: true. */
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
 * An empty environment variable or line counts as not set. A settings file is the one named by the flag
 * `--settings-file`; in it names count with and without the prefix.
 *
 * @returns The options, where each value came from (`options.origins`), and warnings.
 * @throws {TerminalError} `INVALID_INPUT` with every bad setting at once: its name, what was given,
 * what was expected, and where it was given.
 */
export function resolveOptions(sources: SettingSources = {}): ResolvedOptions {
  const { argv = [], env = process.env, cwd = workingDirectory() } = sources;
  const { isServing = true, isPlaceNeeded = true, takesBareNames = false } = sources;
  const flags = parseFlags(argv);
  const file = readEnvFile(cwd, flags.envFile, takesBareNames);
  const find = finder(flags, environmentOf(env, takesBareNames), file);
  const given = new Map(SETTING_NAMES.map((name) => [name, find(name)]));
  const originOf = (name: SettingName) => given.get(name)?.origin ?? 'default';
  const { values, issues } = readValues(given);
  const options = buildOptions({ values, originOf, env, cwd, envFile: file.path, takesBareNames });
  const problems = [
    ...flags.issues,
    ...issues,
    ...(isPlaceNeeded ? checkPlace(options) : []),
    ...(isServing ? checkSettings(values, options) : []),
  ];
  if (problems.length > 0) throw badSettings(problems);
  return { options, warnings: [...file.warnings, ...misspelled(env)] };
}

/** A command is of use even where the directory it is called in was removed. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

type Find = (name: SettingName) => Given | undefined;

/** The first of several places that has a value. */
function finder(flags: Flags, environment: Find, file: EnvFile): Find {
  return (name) => {
    const flag = flags.values.get(name);
    if (flag !== undefined) return { text: flag, origin: `flag ${flagOf(name)}` };
    const line = file.values.get(name);
    return environment(name) ?? (line && { text: line.text, origin: `file ${line.where}` });
  };
}

function environmentOf(env: NonNullable<SettingSources['env']>, takesBareNames: boolean): Find {
  return (name) => {
    if (env[name]) return { text: env[name], origin: 'environment' };
    const bare = takesBareNames ? bareNameOf(name) : undefined;
    return bare !== undefined && env[bare] ? { text: env[bare], origin: `environment, as ${bare}` } : undefined;
  };
}

/** Variables that are meant as settings, by all appearances. There are others with the prefix: a cluster's, or a terminal's mark. */
function misspelled(env: NonNullable<SettingSources['env']>): string[] {
  const names = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !isSettingName(name) && env[name]);
  return names.flatMap((name) => {
    const meant = nearestSetting(name);
    return meant === undefined ? [] : [`environment: unknown setting ${name}. Did you mean ${meant}?`];
  });
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
