/** Generates the help on all settings for `tenacitty help serve` from the table of settings. */
import { flagOf, SETTING_NAMES, SETTINGS } from '../config/settings.js';
import { SETTINGS_FILE_FLAG } from '../config/flags.js';
import type { SettingName } from '../config/settings.js';
import { wrap } from './help-text.js';
import type { SettingFlag } from './parse.js';

/** The flags that are settings, for the parser. */
export const SETTING_FLAGS: readonly SettingFlag[] = [
  ...SETTING_NAMES.map((name) => ({ name: flagOf(name), isSwitch: name === 'TENACITTY_TRUST_LOCAL' })),
  { name: SETTINGS_FILE_FLAG, isSwitch: false },
];

/** Returns the list of settings. @param width - The width of lines. */
export function settingsHelp(width: number): string {
  const file = paragraph(SETTINGS_FILE_FLAG, 'File to read settings from.', '.env in the working directory', width);
  return ['', 'Settings:', ...SETTING_NAMES.map((name) => describe(name, width)), file].join('\n');
}

function describe(name: SettingName, width: number): string {
  const setting = SETTINGS[name];
  const otherwise = 'otherwise' in setting ? setting.otherwise : setting.fallback || 'none';
  return paragraph(`${flagOf(name)}  (${name})`, setting.doc, otherwise, width);
}

const INDENT = '      ';

function paragraph(title: string, doc: string, otherwise: string, width: number): string {
  const text = [doc, `Default: ${otherwise}`].flatMap((part) => wrap(part, width - INDENT.length));
  return [`  ${title}`, ...text.map((line) => INDENT + line), ''].join('\n');
}
