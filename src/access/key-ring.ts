/** Identifies the principal of a key. Knows the keys in the current key file and the keys given as a setting. */
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
  /** The record in the file; undefined for a key given as a setting. */
  readonly stored?: StoredKey;
}

/**
 * The principal of a key, or why the key is rejected, as the end of the sentence "This request is refused because …".
 */
export type KeyLookup = { readonly principal: Principal } | { readonly reason: string };

/**
 * Number of digits of its hash that identify a key given as a setting. A replacement key gets a different id and so
 * does not take over what belongs to the old one.
 */
const SETTING_ID_DIGITS = 12;

export class KeyRing {
  readonly #dataDir: string;
  readonly #log: EngineLog;
  readonly #settingKeys: readonly KnownKey[];
  readonly #use: KeyUse;
  #fileKeys: readonly KnownKey[] = [];
  /** Fingerprint that the key file had when it was last read. */
  #fileFingerprint: string | undefined;
  /**
   * Why the key file could not be used when it was last read. Some causes, such as the mode of its directory or a
   * shortage of descriptors, can disappear without a change to the file.
   */
  #problem: string | undefined;

  constructor(dataDir: string, settingHashes: readonly string[], log: EngineLog) {
    this.#dataDir = dataDir;
    this.#log = log;
    this.#use = new KeyUse(dataDir, log);
    this.#settingKeys = settingHashes.map((hash, index) =>
      knownKey(hash, `setting-${hash.slice(0, SETTING_ID_DIGITS)}`, `TENACITTY_API_KEY_SHA256 #${index + 1}`),
    );
  }

  /** Returns the principal of a key. Compares its hash with every known hash, in constant time. */
  find(key: string): KeyLookup {
    this.#refresh();
    const hash = hashKey(key);
    const matches = [...this.#settingKeys, ...this.#fileKeys].filter((known) => timingSafeEqual(known.hash, hash));
    return matches[0] === undefined ? { reason: 'its API key is not valid' } : this.#taken(matches[0]);
  }

  /** Returns whether a key of this principal would be accepted now. */
  isAccepted(principalId: string): boolean {
    return this.principalOf(principalId) !== undefined;
  }

  /** Returns the principal with this id; undefined if its key would not be accepted now. */
  principalOf(principalId: string): Principal | undefined {
    this.#refresh();
    const known = [...this.#settingKeys, ...this.#fileKeys].find(({ principal }) => principal.id === principalId);
    return known === undefined || (known.stored && hasExpired(known.stored)) ? undefined : known.principal;
  }

  #taken({ principal, stored }: KnownKey): KeyLookup {
    if (stored && hasExpired(stored)) return { reason: `its API key ${stored.id} expired at ${stored.expires}` };
    if (stored) this.#use.note(stored.id);
    return { principal };
  }

  /**
   * Reads the file again if it has changed or could not be used. The check costs one `stat` per request, and lets the
   * server reject a revoked key immediately.
   */
  #refresh(): void {
    const seen = fingerprint(keyFilePath(this.#dataDir));
    if (seen === this.#fileFingerprint && this.#problem === undefined) return;
    this.#fileFingerprint = seen;
    const { keys, problem } = readKeyFile(this.#dataDir);
    if (problem && problem !== this.#problem) this.#log('error', `API keys are not accepted: ${problem}`, {});
    this.#problem = problem;
    this.#fileKeys = keys.map((stored) => ({ ...knownKey(stored.sha256, stored.id, stored.name), stored }));
  }
}

function knownKey(sha256: string, id: string, name: string): KnownKey {
  return { hash: Buffer.from(sha256, 'hex'), principal: { id: `key:${id}`, kind: 'key', name, role: 'owner' } };
}

/** Returns a value that changes whenever the file is replaced or written, or its owner or mode is changed. */
function fingerprint(path: string): string {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat ? [stat.ino, stat.ctimeNs, stat.mtimeNs, stat.size].join(':') : 'missing';
  } catch (error) {
    return `unreadable: ${(error as Error).message}`;
  }
}
