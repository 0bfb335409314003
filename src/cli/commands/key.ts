/** `tenacitty key`: makes, lists and revokes API keys. A key goes to stdout, talk to stderr. */
import { createKey, keyFilePath, readKeyFile, revokeKey } from '../../access/key-file.js';
import { resolveOptions } from '../../config.js';
import { TerminalError } from '../../errors.js';
import { didYouMean } from '../../nearest.js';
import type { Call } from '../command.js';
import { print, printJson, say } from '../stdout.js';
import type { KEY_FLAGS } from '../table/upkeep.js';

interface KeyRequest {
  readonly id: string | undefined;
  readonly name: string;
  readonly json: boolean;
  readonly dataDir: string;
}

const ACTIONS: Readonly<Record<string, (request: KeyRequest) => Promise<void> | void>> = { create, list, revoke };

/** Runs `create`, `list` or `revoke`. */
export async function key({ operands, flags, settings }: Call<typeof KEY_FLAGS>): Promise<void> {
  const [action = '', id] = operands;
  const perform = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!perform) throw wrong(`unknown key command ${action}.${didYouMean(action, Object.keys(ACTIONS))}`);
  if (id !== undefined && action !== 'revoke') throw wrong(`${JSON.stringify(id)} is one word too many.`);
  const { dataDir } = resolveOptions({ argv: settings, isServing: false }).options;
  await perform({ id, name: flags.name ?? 'unnamed', json: flags.json, dataDir });
}

async function create({ dataDir, name }: KeyRequest): Promise<void> {
  const { key: secret, stored } = createKey(dataDir, name);
  await print(`${secret}\n`);
  say(`made the key ${stored.id} (${name}). It is shown this once: only its hash is kept, in ${keyFilePath(dataDir)}.`);
  say('a running server takes it at once. Send it as: -H "Authorization: Bearer <key>"');
}

async function list({ dataDir, json }: KeyRequest): Promise<void> {
  const { keys, problem } = readKeyFile(dataDir);
  if (problem) throw wrong(problem);
  const shown = keys.map(({ id, name, created }) => ({ id, name, created }));
  if (json) return printJson(shown);
  await print(shown.map(({ id, name, created }) => `${id}  ${created}  ${name}\n`).join(''));
  if (keys.length > 0) return;
  say(`no keys in ${keyFilePath(dataDir)} yet. Make one with: npm run key (installed: tenacitty key create)`);
}

function revoke({ dataDir, id }: KeyRequest): void {
  if (id === undefined) throw wrong('Which key? tenacitty key list shows their ids.');
  if (!revokeKey(dataDir, id)) throw wrong(`There is no key ${id} in ${keyFilePath(dataDir)}.`);
  say(`revoked the key ${id}. A running server refuses it at once.`);
}

function wrong(message: string): TerminalError {
  return new TerminalError('INVALID_INPUT', message);
}
