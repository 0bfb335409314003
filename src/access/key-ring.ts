/**
 * Tells whose key was shown: those of the key file, as it is now, and those given as a setting. It
 * knows nothing of requests.
 */
import { timingSafeEqual } from 'node:crypto';
import { statSync } from 'node:fs';
import type { EngineLog } from '../contract/options.js';
import { hasExpired, hashKey, keyFilePath, readKeyFile } from './key-file.js';
import type { StoredKey } from './key-file.js';
import { KeyUse } from './key-use.js';
import type { Principal } from './principal.js';

interface KnownKey {
  readonly hash: Buffer;
  readonly principal: Principal;
  /** What the file has of it; undefined for one given as a setting. */
  readonly stored?: StoredKey;
}

/** Whose key it is, or why it is not taken, completing "because …". */
export type Found = { readonly principal: Principal } | { readonly reason: string };

export class KeyRing {
  readonly #dataDir: string;
  readonly #log: EngineLog;
  readonly #settingKeys: readonly KnownKey[];
  readonly #use: KeyUse;
  #fileKeys: readonly KnownKey[] = [];
  /** What the key file looked like when it was read. */
  #seen: string | undefined;
  /** Why it could not be taken then. That may pass without a change of the file: the directory's mode, descriptors used up. */
  #problem: string | undefined;

  constructor(dataDir: string, settingHashes: readonly string[], log: EngineLog) {
    this.#dataDir = dataDir;
    this.#log = log;
    this.#use = new KeyUse(dataDir, log);
    this.#settingKeys = settingHashes.map((hash, index) =>
      knownKey(hash, `setting-${index + 1}`, `TENACITTY_API_KEY_SHA256 #${index + 1}`),
    );
  }

  /** Who bears this key. Every known hash is compared, in constant time. */
  find(key: string): Found {
    this.#refresh();
    const hash = hashKey(key);
    const matches = [...this.#settingKeys, ...this.#fileKeys].filter((known) => timingSafeEqual(known.hash, hash));
    return matches[0] === undefined ? { reason: 'its API key is not valid here' } : this.#taken(matches[0]);
  }

  /** Whether a key of this principal would be taken now. */
  isGood(principalId: string): boolean {
    this.#refresh();
    const known = [...this.#settingKeys, ...this.#fileKeys].find(({ principal }) => principal.id === principalId);
    return known !== undefined && !(known.stored && hasExpired(known.stored));
  }

  #taken({ principal, stored }: KnownKey): Found {
    if (stored && hasExpired(stored)) return { reason: `its API key has expired (${stored.id}, at ${stored.expires})` };
    if (stored) this.#use.note(stored.id);
    return { principal };
  }

  /** Reads the file again if it changed, or could not be read: one `stat` a request, so a revoked key is refused at once. */
  #refresh(): void {
    const seen = fingerprint(keyFilePath(this.#dataDir));
    if (seen === this.#seen && this.#problem === undefined) return;
    this.#seen = seen;
    const { keys, problem } = readKeyFile(this.#dataDir);
    if (problem && problem !== this.#problem) this.#log('error', `API keys are not accepted: ${problem}`, {});
    this.#problem = problem;
    this.#fileKeys = keys.map((stored) => ({ ...knownKey(stored.sha256, stored.id, stored.name), stored }));
  }
}

function knownKey(sha256: string, id: string, name: string): KnownKey {
  return { hash: Buffer.from(sha256, 'hex'), principal: { id: `key:${id}`, kind: 'key', name } };
}

/** Changes whenever the file is replaced, written, or its owner or mode changed. */
function fingerprint(path: string): string {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat ? [stat.ino, stat.ctimeNs, stat.mtimeNs, stat.size].join(':') : 'missing';
  } catch (error) {
    return `unreadable: ${(error as Error).message}`;
  }
}
