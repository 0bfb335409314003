/**
 * Defines command-line flags: how each is written, what it means, and how its text becomes a value. Pure; loads
 * nothing, because `--help` uses this module.
 */
import { parseDuration } from '../duration.js';

/** A flag. Its key in a `FlagTable` determines its name (`noEnter` → `--no-enter`). */
export interface Flag<Value> {
  readonly doc: string;
  /** One letter, as in `-f`. */
  readonly short: string | null;
  /** The placeholder for the value in the help, such as `N`; null for a switch. */
  readonly valueName: string | null;
  /** All possible values, if they can be listed; used for completion. */
  readonly choices: readonly string[];
  /** Completes the phrase "expected …" in messages. */
  readonly expected: string;
  /** The value if the flag is not given. */
  readonly initial: Value;
  /** Returns the value after one more occurrence with this text, or undefined to reject the text. */
  take(text: string, before: Value): Value | undefined;
}

// The value type occurs both as a parameter and as a result, so only `any` covers flags of every type.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type FlagTable = Readonly<Record<string, Flag<any>>>;

/** The values of a table's flags, by key. */
export type FlagValues<Flags extends FlagTable> = {
  readonly [Key in keyof Flags]: Flags[Key] extends Flag<infer Value> ? Value : never;
};

interface Value<Item> {
  readonly valueName: string;
  readonly expected: string;
  readonly doc: string;
  readonly short?: string;
  readonly choices?: readonly string[];
  /** Returns undefined to reject the text. */
  readonly read: (text: string) => Item | undefined;
}

/** Creates a flag without a value. */
export function toggle(doc: string, short: string | null = null): Flag<boolean> {
  return { doc, short, valueName: null, choices: [], expected: '', initial: false, take: () => true };
}

/** Creates a flag with a value. If the flag is repeated, the last value counts. */
export function valued<Item>({ short = '', choices = [], read, ...rest }: Value<Item>): Flag<Item | undefined> {
  return { ...rest, short: short || null, choices, initial: undefined, take: (text) => read(text) };
}

/** Creates a flag that can be repeated, and whose value is the list of all given values. */
export function listed<Item>({ short = '', choices = [], read, ...rest }: Value<Item>): Flag<readonly Item[]> {
  const take = (text: string, before: readonly Item[]) => {
    const item = read(text);
    return item === undefined ? undefined : [...before, item];
  };
  return { ...rest, short: short || null, choices, initial: [], take };
}

export function text(valueName: string, doc: string, short = ''): Flag<string | undefined> {
  return valued({ valueName, doc, short, expected: 'some text', read: (given) => given || undefined });
}

/** Creates a flag for the labels of a terminal. The engine validates the value. */
export function label(doc: string): Flag<readonly string[]> {
  const read = (given: string) => (/^[\w.-]{1,64}=/.test(given) ? given : undefined);
  return listed({
    valueName: 'NAME=VALUE',
    expected: 'NAME=VALUE, with a name of letters, digits, ., _ and -',
    doc,
    read,
  });
}

/** The `--label` flag of commands that accept labels in place of an ID. */
export const FOR_ALL = label(
  'Instead of an ID: all terminals with this label. Can be repeated to require several labels.',
);
export const FOR_ALL_RUNNING = label(
  'Instead of an ID: all running terminals with this label. Can be repeated to require several labels.',
);
export const FOR_ONE = label(
  'Instead of an ID: the only terminal with this label, or the only running one. Can be repeated to require several ' +
    'labels.',
);

export function count(valueName: string, doc: string, short = ''): Flag<number | undefined> {
  const read = (given: string) => (/^\d{1,15}$/.test(given) ? Number(given) : undefined);
  return valued({ valueName, doc, short, expected: 'a whole number', read });
}

/** Creates a flag for a duration in milliseconds. */
export function duration(doc: string): Flag<number | undefined> {
  const expected = 'a duration such as 500ms, 30s, 5m, 2h or 1d';
  return valued({
    valueName: 'DURATION',
    doc: `${doc} DURATION: for example 500ms, 30s or 5m.`,
    expected,
    read: parseDuration,
  });
}

export function choice<const Choice extends string>(
  choices: readonly Choice[],
  doc: string,
  read: (given: string) => Choice | undefined = (given) => choices.find((known) => known === given),
): Flag<Choice | undefined> {
  return valued({ valueName: choices.join('|'), doc, choices, expected: `one of ${choices.join(', ')}`, read });
}

/** Returns the name of a flag: `noEnter` → `--no-enter`. */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
