/** Generates the help on all settings for `tenacitty help serve` from the table of settings. */
import { flagOf, SETTING_NAMES, SETTINGS } from '../config/settings.js';
import { SETTINGS_FILE_FLAG } from '../config/flags.js';
import type { SettingName } from '../config/settings.js';
import type { SettingFlag } from './parse.js';

/** The flags that are settings, for the parser. */
export const SETTING_FLAGS: readonly SettingFlag[] = [
  ...SETTING_NAMES.map((name) => ({ name: flagOf(name), isSwitch: name === 'TENACITTY_TRUST_LOCAL' })),
  { name: SETTINGS_FILE_FLAG, isSwitch: false },
];

export function settingsHelp(): string {
  const file = `  ${SETTINGS_FILE_FLAG}\n      File to read settings from.\n      Default: .env in the working directory\n`;
  return ['', 'Settings:', ...SETTING_NAMES.map(describe), file].join('\n');
}

function describe(name: SettingName): string {
  const setting = SETTINGS[name];
  const otherwise = 'otherwise' in setting ? setting.otherwise : setting.fallback || 'none';
  return `  ${flagOf(name)}  (${name})\n      ${setting.doc}\n      Default: ${otherwise}\n`;
}
