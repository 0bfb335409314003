/** The flags of the commands about tenacitty itself. */
import { duration, text, toggle } from '../flag.js';

export const DOCTOR_FLAGS = { json: toggle('Prints the findings as a JSON array.') } as const;

export const CONFIG_FLAGS = {
  json: toggle('Prints an object with settingsFile, settings (an array of name, flag, value and from) and notes.'),
} as const;

export const OPEN_FLAGS = { print: toggle('Prints the link instead of opening it.') } as const;

const KEY_CREATE_FLAGS = {
  name: text('NAME', 'create: name of the new key, such as laptop; used by revoke and in the log.'),
  expires: duration('create: how long the key is valid. Default: until it is revoked.'),
  json: toggle('create, list: prints JSON.'),
} as const;

/** The actions of `key`, and the flags of each. */
export const KEY_ACTIONS = { create: KEY_CREATE_FLAGS, list: { json: KEY_CREATE_FLAGS.json }, revoke: {} } as const;

export const KEY_FLAGS = KEY_CREATE_FLAGS;

export const KILL_SERVER_FLAGS = { yes: toggle('Does not ask for confirmation.') } as const;

export const UPGRADE_HOST_FLAGS = { json: toggle('Prints the hosts as a JSON array.') } as const;
