/** `tenacitty key`: creates, lists and revokes API keys. Prints data on stdout and messages on stderr. */
import { createKey, hasExpired, keyFilePath, readKeyFile, revokeKey } from '../../access/key-file.js';
import type { StoredKey } from '../../access/key-file.js';
import { readLastUsed } from '../../access/key-use.js';
import { commandName } from '../../command-name.js';
import { resolveOptions } from '../../config.js';
import { TerminalError } from '../../errors.js';
import { actionNamed, refuseFlagsOfOtherActions } from '../action.js';
import type { ParsedCall } from '../command.js';
import { roundedDuration } from '../../duration.js';
import { printable } from '../../printable.js';
import { usageError } from '../parse.js';
import { print, printJson, printMessage } from '../stdout.js';
import { KEY_ACTIONS, KEY_FLAGS } from '../flags/upkeep.js';
import { MIN_ID_PREFIX } from '../../contract/name.js';
import { textTable } from '../text-table.js';

interface KeyRequest {
  /** Name or id of the key to revoke. */
  readonly given: string | undefined;
  readonly name: string;
  readonly expiresInMs: number | undefined;
  readonly json: boolean;
  readonly dataDir: string;
}

type ListedKey = Pick<StoredKey, 'id' | 'name' | 'created' | 'expires'> & { readonly lastUsed: string | null };

const PERFORM: Readonly<Record<keyof typeof KEY_ACTIONS, (request: KeyRequest) => Promise<void> | void>> = {
  create,
  list,
  revoke,
};
const HEADINGS = ['ID', 'NAME', 'CREATED', 'EXPIRES', 'LAST USED'];
/** A hundred years. A key that should last longer is created without the flag. */
const MAX_EXPIRES_MS = 36_525 * 86_400_000;

/** Runs `create`, `list` or `revoke`. */
export async function key({ operands, flags, settings }: ParsedCall<typeof KEY_FLAGS>): Promise<void> {
  const [word, given] = operands;
  const action = actionNamed('key', KEY_ACTIONS, word);
  refuseFlagsOfOtherActions(`key ${action}`, KEY_ACTIONS[action], KEY_FLAGS, flags);
  if (given !== undefined && action !== 'revoke') throw wrong(`Unexpected argument ${JSON.stringify(given)}.`);
  const { dataDir } = resolveOptions({ argv: settings, isServing: false }).options;
  const { name = 'unnamed', expires: expiresInMs, json } = flags;
  await PERFORM[action]({ given, name, expiresInMs, json, dataDir });
}

async function create({ dataDir, name, expiresInMs, json }: KeyRequest): Promise<void> {
  const { key: secret, stored } = createKey(dataDir, name, expiryOf(expiresInMs));
  const { id, expires } = stored;
  await (json ? printJson({ id, key: secret, name, expires }) : print(`${secret}\n`));
  const until = expires === null ? '' : `, valid until ${expires}`;
  printMessage(
    `created key ${id} (${name})${until}. It is not shown again: ${keyFilePath(dataDir)} stores only its hash.`,
  );
  printMessage('a running server accepts it at once. Send it as: -H "Authorization: Bearer <key>"');
}

function expiryOf(ms: number | undefined): Date | null {
  if (ms === undefined) return null;
  if (ms > 0 && ms <= MAX_EXPIRES_MS) return new Date(Date.now() + ms);
  throw usageError({ name: 'key create' }, '--expires: expected a duration greater than 0 and at most 36525d.');
}

async function list({ dataDir, json }: KeyRequest): Promise<void> {
  const lastUsed = readLastUsed(dataDir);
  const keys = readKeys(dataDir).map(({ id, name, created, expires }) => {
    return { id, name, created, expires, lastUsed: lastUsed[id] ?? null };
  });
  if (json) return printJson(keys);
  if (keys.length > 0) return print(textTable([HEADINGS, ...keys.map((each) => rowOf(each, Date.now()))]));
  printMessage(`no keys in ${keyFilePath(dataDir)} yet. To create one: ${commandName()} key create`);
}

function rowOf(key: ListedKey, now: number): string[] {
  const expires = key.expires === null ? 'never' : `${hasExpired(key, now) ? 'expired ' : ''}${day(key.expires)}`;
  const used = key.lastUsed === null ? 'never' : `${roundedDuration(now - Date.parse(key.lastUsed))} ago`;
  return [key.id, printable(key.name), day(key.created), expires, used];
}

/** Formats a time, as in `2026-11-22 17:05Z`. */
function day(time: string): string {
  return `${time.slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ')}Z`;
}

function revoke({ dataDir, given }: KeyRequest): void {
  if (given === undefined) throw wrong(`KEY is missing. ${commandName()} key list shows names and ids.`);
  const { id, name } = pickKey(readKeys(dataDir), given, keyFilePath(dataDir));
  revokeKey(dataDir, id);
  printMessage(`revoked key ${id} (${name}). A running server rejects it at once.`);
}

/** Returns the key with this id or, if there is none, the only key that has this name or an id that starts with it. */
function pickKey(keys: readonly StoredKey[], given: string, path: string): StoredKey {
  const exact = keys.find(({ id }) => id === given);
  const isMeant = ({ id, name }: StoredKey) =>
    name === given || (given.length >= MIN_ID_PREFIX && id.startsWith(given));
  const [found, ...others] = exact ? [exact] : keys.filter(isMeant);
  if (found === undefined) throw wrong(`There is no key ${JSON.stringify(given)} in ${path}.`);
  if (others.length === 0) return found;
  const candidates = [found, ...others].map(({ id, name }) => `  ${id}  ${name}`);
  throw wrong(
    [`${others.length + 1} keys match ${JSON.stringify(given)}; give the id of one:`, ...candidates].join('\n'),
  );
}

function readKeys(dataDir: string): readonly StoredKey[] {
  const { keys, problem } = readKeyFile(dataDir);
  if (problem) throw wrong(problem);
  return keys;
}

function wrong(message: string): TerminalError {
  return new TerminalError('INVALID_INPUT', message);
}
