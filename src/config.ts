/**
 * Resolves settings once, into one frozen `Options` object that is passed down. Flags take precedence over the
 * environment, which takes precedence over the settings file and the defaults. No other module reads settings. Prints
 * nothing, and does not modify the environment.
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

/** The sources of settings. Each can be replaced, so that a library user stays in control. */
export interface SettingSources {
  /** The words of the command line after the command. Default: none. */
  readonly argv?: readonly string[];
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The directory that relative paths are relative to. Default: the working directory. */
  readonly cwd?: string;
  /**
   * Set this to false for a command that does not listen, so that, for example, the first key can be created even if
   * TENACITTY_HOST requires one. Default: true.
   */
  readonly isServing?: boolean;
  /**
   * Whether to accept `BARE_NAMES` without their prefix, and a file `.env` in `cwd`. Set this to true only for a
   * process that is solely a server: in any other process, PORT and `.env` belong to the program that it starts or to
   * the current project. Default: false.
   */
  readonly takesBareNames?: boolean;
  /** Set this to false for a caller that checks TENACITTY_DATA_DIR itself, with its own messages. Default: true. */
  readonly isPlaceNeeded?: boolean;
}

export interface ResolvedOptions {
  readonly options: Options;
  /** Warnings for the user that do not prevent startup. */
  readonly warnings: readonly string[];
}

interface Given {
  readonly text: string;
  readonly origin: string;
}

/**
 * Finds, checks and freezes all settings.
 *
 * An empty environment variable or line counts as not set. The flag `--settings-file` names a settings file, in which
 * names are accepted with and without the prefix.
 *
 * @returns The options, the origin of each value (`options.origins`), and warnings.
 * @throws {TerminalError} `INVALID_INPUT` listing every invalid setting at once: its name, the given value, the
 * expected value, and where it was given.
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

/** Returns the working directory, or `/` if it has been removed, because commands must work even then. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

type Find = (name: SettingName) => Given | undefined;

/** Returns a function that takes a setting from the first source that has it. */
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

/**
 * Returns warnings about variables that are probably misspelt settings. Not every unknown variable with the prefix is:
 * clusters set some, for example, and one marks the processes of a terminal.
 */
function misspelled(env: NonNullable<SettingSources['env']>): string[] {
  const names = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !isSettingName(name) && env[name]);
  return names.flatMap((name) => {
    const meant = nearestSetting(name);
    return meant === undefined ? [] : [`environment: unknown setting ${name}. Did you mean ${meant}?`];
  });
}

/**
 * Parses the values. Reports each invalid value and continues with the default, so that all other settings are checked
 * too.
 */
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
