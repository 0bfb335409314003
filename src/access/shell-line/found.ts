/** What a shell line was found to run. Does not depend on the parser or on the rules. */

import type { Dialect } from './dialect.js';
import { doubtOfSetting } from './special-variables.js';

/** One argument whose text only the shell knows: `"$x"`. */
export const ONE = Symbol('one argument');
/** Any number of arguments that only the shell knows: `$x`, `*.c`, `"$@"`. */
export const MANY = Symbol('any number of arguments');

/** At most one argument, a number that only the shell knows: `$?`, `$#`. */
export const NUMBER = Symbol('a number');

export type Argument = string | typeof ONE | typeof MANY | typeof NUMBER;

/** Returns whether a shell that evaluates the argument finds no name in it. */
export function isPlainNumber(argument: Argument | undefined): boolean {
  return argument === NUMBER || (typeof argument === 'string' && /^-?[0-9]+$/.test(argument));
}

/** A program's name, or an unknown in its place, and its arguments. Never empty. */
export type CommandWords = readonly Argument[];

/** A variable that is set. */
export interface Assigned {
  readonly name: string;
  /** Null if only the shell knows it. */
  readonly value: string | null;
  /** Whether programs receive it: it precedes a command, or is exported. */
  readonly isPassedOn: boolean;
}

/** Everything that a line was found to run, at any place in it. */
export class Found {
  /** In the order of the text; commands in functions appear at the definition. */
  readonly commands: CommandWords[] = [];
  /** Variables that the line sets. */
  readonly assigned: Assigned[] = [];
  /** What could make it run something other than these commands, in words. */
  readonly doubts = new Set<string>();
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** @param value - Null if only the shell knows it. */
  assign(name: string, value: string | null): void {
    this.assigned.push({ name, value, isPassedOn: false });
    const doubt = doubtOfSetting(name, value, this.#dialect);
    if (doubt !== null) this.doubts.add(doubt);
  }

  /** Marks the variables assigned since the given count as passed on to programs. */
  passOn(since: number): void {
    const last = this.assigned.splice(since);
    for (const one of last) this.assigned.push({ ...one, isPassedOn: true });
  }
}

/** A line that cannot be read further: what follows might be anything. */
export class NotReadable extends Error {}
