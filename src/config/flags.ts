/** Parses command-line flags that are settings: `--port 0`, `--port=0`, `--trust-local`. Checks names, not values. */
import type { InputIssue } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { flagOf, SETTING_NAMES } from './settings.js';
import type { SettingName } from './settings.js';

/**
 * The only flag that is not a setting: the path of the settings file. It is not called `--env-file`, because Node
 * itself would interpret that flag.
 */
export const SETTINGS_FILE_FLAG = '--settings-file';

export interface Flags {
  readonly values: ReadonlyMap<SettingName, string>;
  readonly envFile: string | undefined;
  readonly issues: readonly InputIssue[];
}

const NAMES = new Map<string, SettingName>(SETTING_NAMES.map((name) => [flagOf(name), name]));
const KNOWN = [...NAMES.keys(), SETTINGS_FILE_FLAG];
const SWITCHES: ReadonlySet<string> = new Set([flagOf('TENACITTY_TRUST_LOCAL')]);

/** Parses all flags. Collects problems instead of throwing. If a flag is repeated, the last value counts. */
export function parseFlags(argv: readonly string[]): Flags {
  const values = new Map<SettingName, string>();
  const issues: InputIssue[] = [];
  let envFile: string | undefined;
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const { flag, value } = takeValue(word, words);
    const problem = flagProblem(flag, value);
    if (problem) issues.push({ field: flag, message: problem });
    else if (flag === SETTINGS_FILE_FLAG) envFile = value;
    else values.set(NAMES.get(flag)!, value!);
  }
  return { values, envFile, issues };
}

/** Splits `--name=value`, or takes the value from the next word. A switch without a value means true. */
function takeValue(word: string, rest: string[]): { flag: string; value: string | undefined } {
  const equals = word.indexOf('=');
  if (word.startsWith('--') && equals > 0) return { flag: word.slice(0, equals), value: word.slice(equals + 1) };
  const next = rest[0];
  if (SWITCHES.has(word)) return { flag: word, value: next === 'true' || next === 'false' ? rest.shift() : 'true' };
  if (!KNOWN.includes(word) || next === undefined || next.startsWith('--')) return { flag: word, value: undefined };
  return { flag: word, value: rest.shift() };
}

function flagProblem(flag: string, value: string | undefined): string | undefined {
  if (!flag.startsWith('-')) return `unexpected argument.${didYouMean(`--${flag}`, KNOWN)}`;
  if (!KNOWN.includes(flag)) return `unknown flag.${didYouMean(flag, KNOWN)}`;
  return value === undefined ? 'needs a value' : undefined;
}
