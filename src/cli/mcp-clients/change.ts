/**
 * Computes the text of a configuration file after an entry is installed or uninstalled. Pure: does not access files.
 */
import type { Entry, EntryPath, ConfigFormat } from './format.js';
import { UneditableConfig } from './uneditable-config.js';

export interface ConfigChange {
  readonly outcome: 'added' | 'changed' | 'removed' | 'unchanged';
  /** The new text; null if there is to be no file. */
  readonly text: string | null;
}

export interface EntryTarget {
  readonly format: ConfigFormat;
  readonly place: EntryPath;
  /** The entry that `install` creates. */
  readonly entry: Entry;
}

/** The name that always counts as tenacitty's own, regardless of what the entry starts. */
export const OWN_NAME = 'tenacitty';

const PROGRAM = /(?:^|\/)tenacitty(?:@[^/]*|\/dist\/cli\/main\.js)?$/;

/** Thrown if there is an entry of that name that does not start tenacitty. */
export class ForeignEntry extends Error {
  override readonly name = 'ForeignEntry';

  constructor(readonly entry: Entry) {
    super();
  }
}

/**
 * Returns the file's text with the entry installed.
 *
 * @param text - Null if there is no file.
 * @throws {UneditableConfig}
 * @throws {ForeignEntry}
 */
export function installEntry(text: string | null, { format, place, entry }: EntryTarget): ConfigChange {
  const before = text === null ? undefined : format.read(text, place);
  if (before !== undefined) refuseForeign(before, place, entry);
  const after = format.put(text ?? '', place, entry);
  if (after === text) return { outcome: 'unchanged', text };
  return { outcome: before === undefined ? 'added' : 'changed', text: after };
}

/**
 * Returns the file's text without the entry. If nothing but the entry has changed since an earlier version, returns
 * that version byte for byte. Returns null if there was no file before the entry was installed.
 *
 * @param earlier - Earlier versions of the file, newest first.
 * @throws {UneditableConfig}
 * @throws {ForeignEntry}
 */
export function uninstallEntry(text: string | null, goal: EntryTarget, earlier: readonly string[]): ConfigChange {
  const { format, place } = goal;
  const entry = text === null ? undefined : format.read(text, place);
  if (text === null || entry === undefined) return { outcome: 'unchanged', text };
  refuseForeign(entry, place, goal.entry);
  const rest = format.remove(text, place);
  const origin = earlier.find((candidate) => isOrigin(candidate, rest, { ...goal, entry }));
  if (origin !== undefined) return { outcome: 'removed', text: origin };
  return { outcome: 'removed', text: isOrigin('', rest, { ...goal, entry }) ? null : rest };
}

/**
 * Returns whether only the entry has changed since an earlier version. Compares both versions without the entry,
 * because its layout may differ.
 *
 * @param rest - The current text without the entry.
 */
function isOrigin(earlier: string, rest: string, { format, place, entry }: EntryTarget): boolean {
  try {
    if (format.read(earlier, place) !== undefined) return false;
    return format.remove(format.put(earlier, place, entry), place) === rest;
  } catch (error) {
    if (error instanceof UneditableConfig) return false;
    throw error;
  }
}

function refuseForeign(found: Entry, { name }: EntryPath, wanted: Entry): void {
  if (name === OWN_NAME || startsTenacitty(found) || isStartedSameWay(found, wanted)) return;
  throw new ForeignEntry(found);
}

/**
 * Returns whether both entries have the same command and the same arguments, up to and including `mcp`. The same node
 * or npx alone is not enough.
 */
function isStartedSameWay(found: Entry, wanted: Entry): boolean {
  const [words, ownWords] = [wordsOf(found), wordsOf(wanted)];
  const own = ownWords.slice(0, ownWords.indexOf('mcp') + 1);
  return own.length > 0 && own.every((word, index) => words[index] === word);
}

/**
 * Returns whether an entry starts tenacitty, for example as `tenacitty mcp`, `npx -y tenacitty@1 mcp`, `node
 * …/tenacitty/dist/cli/main.js mcp`.
 */
function startsTenacitty(entry: Entry): boolean {
  return wordsOf(entry).some((word, index, words) => words[index + 1] === 'mcp' && PROGRAM.test(word));
}

function wordsOf({ command, args }: Entry): string[] {
  return [command, ...(Array.isArray(args) ? (args as readonly string[]) : [])].map(String);
}
