/**
 * Stores sign-ins on disk. Each sign-in is a file (0600) in the data directory's `sign-ins` folder, named by the hash
 * of its cookie. The file contains the hash of the proof, the account whose permissions the sign-in has, and the origin
 * of the page. The file's modification time is the time of the sign-in's last use. Removing the file ends the sign-in
 * on all servers that use the data directory.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hashOf, privateFolder } from './private-folder.js';

const DAY_MS = 86_400_000;
/** A sign-in ends when it has not been used for this long. */
export const IDLE_MS = 7 * DAY_MS;
/** A sign-in ends after this time even if it is in use. */
export const MAX_AGE_MS = 30 * DAY_MS;
/**
 * Maximum number of sign-ins per account: more than the number of browsers that a person uses. One more ends the
 * account's least recently used sign-in.
 */
export const MAX_SIGN_INS = 20;
/** The last use is recorded only if the recorded one is older than this. */
const USE_LAG_MS = 60_000;
const SECRET_BYTES = 32;
/** 32 bytes in base64url. */
const SECRET = /^[\w-]{43}$/;
const ID_BYTES = 5;
const FOLDER = 'sign-ins';
const FILE = /^[0-9a-f]{64}$/;

const signInFile = z.strictObject({
  version: z.literal(1),
  id: z.string().regex(/^[0-9a-f]{10}$/),
  /** Id of the principal whose permissions the sign-in has: `local`, or that of a key. */
  as: z.string(),
  name: z.string(),
  proof: z.string().regex(/^[0-9a-f]{64}$/),
  origin: z.string(),
  browser: z.string(),
  created: z.iso.datetime(),
});

export type StoredSignIn = z.infer<typeof signInFile> & { readonly lastUsedMs: number };

export class SignInFiles {
  readonly #dataDir: string;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Stores a sign-in. Returns its id, and its two secrets, which cannot be retrieved again. */
  create(given: Pick<StoredSignIn, 'as' | 'name' | 'origin' | 'browser'>) {
    const [cookie, proof] = [secret(), secret()];
    const id = randomBytes(ID_BYTES).toString('hex');
    const created = new Date().toISOString();
    this.#makeRoom(given.as);
    const content = JSON.stringify({ version: 1, id, ...given, proof: hashOf(proof), created });
    writeFileSync(this.#pathOf(cookie), `${content}\n`, { mode: 0o600, flag: 'wx' });
    return { id, cookie, proof };
  }

  /** Returns the sign-in that a cookie belongs to, and records its use; undefined if the sign-in is not valid. */
  use(cookie: string): StoredSignIn | undefined {
    const path = this.#pathOf(cookie);
    const found = valid(path);
    if (found && Date.now() - found.lastUsedMs > USE_LAG_MS) utimesSync(path, new Date(), new Date());
    return found;
  }

  /** Returns the valid sign-ins, oldest first. */
  list(): StoredSignIn[] {
    const all = this.#paths().flatMap((path) => valid(path) ?? []);
    return all.sort((a, b) => (a.created < b.created ? -1 : 1));
  }

  end(id: string): void {
    for (const path of this.#paths()) if (read(path)?.id === id) rmSync(path, { force: true });
  }

  /** Makes room for a further sign-in of an account, and removes expired sign-ins. */
  #makeRoom(as: string): void {
    for (const path of this.#paths()) {
      const found = read(path);
      // Keep one that cannot be read now: it may be valid later.
      if (found && hasExpired(found)) rmSync(path, { force: true });
    }
    const own = this.list().filter((signIn) => signIn.as === as);
    const byUse = own.sort((a, b) => a.lastUsedMs - b.lastUsedMs);
    for (const { id } of byUse.slice(0, Math.max(0, byUse.length - MAX_SIGN_INS + 1))) this.end(id);
  }

  #paths(): string[] {
    const folder = privateFolder(this.#dataDir, FOLDER);
    return readdirSync(folder)
      .filter((name) => FILE.test(name))
      .map((name) => join(folder, name));
  }

  #pathOf(cookie: string): string {
    return join(privateFolder(this.#dataDir, FOLDER), hashOf(cookie));
  }
}

/** Returns the sign-in in a file; undefined if it has expired or cannot be read. */
function valid(path: string): StoredSignIn | undefined {
  const found = read(path);
  return found && !hasExpired(found) ? found : undefined;
}

function hasExpired({ lastUsedMs, created }: StoredSignIn): boolean {
  const now = Date.now();
  return now - lastUsedMs > IDLE_MS || now - Date.parse(created) > MAX_AGE_MS;
}

function read(path: string): StoredSignIn | undefined {
  try {
    const lastUsedMs = statSync(path).mtimeMs;
    return { ...signInFile.parse(JSON.parse(readFileSync(path, 'utf8'))), lastUsedMs };
  } catch {
    return undefined;
  }
}

/** Returns whether a cookie has the form of a secret created here. Other cookies are not looked up. */
export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
