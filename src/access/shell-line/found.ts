/** What a line for a shell was found to run. It knows neither how that was found nor what is allowed. */

import type { Dialect } from './dialect.js';
import { doubtOfSetting } from './special-variables.js';

/** An argument whose text only the shell will know: `"$x"`. */
export const ONE = Symbol('one argument');
/** Any number of arguments that only the shell will know: `$x`, `*.c`, `"$@"`. */
export const MANY = Symbol('any number of arguments');

/** At most one, of which only the shell will know which number it is: `$?`, `$#`. */
export const NUMBER = Symbol('a number');

export type Argument = string | typeof ONE | typeof MANY | typeof NUMBER;

/** Whether a shell that evaluates it finds nothing in it to look up. */
export function isPlainNumber(argument: Argument | undefined): boolean {
  return argument === NUMBER || (typeof argument === 'string' && /^-?[0-9]+$/.test(argument));
}

/** A program's name, or what stands in its place, and its arguments: never empty. */
export type CommandWords = readonly Argument[];

/** A variable that is set. */
export interface Assigned {
  readonly name: string;
  /** Null where only the shell will know it. */
  readonly value: string | null;
  /** Whether programs are given it: it stands before one, or is exported. */
  readonly isPassedOn: boolean;
}

/** Everything a line was found to run, wherever in it that stands. */
export class Found {
  /** In the order in which they stand; those in functions where these are defined. */
  readonly commands: CommandWords[] = [];
  /** Variables the line sets. */
  readonly assigned: Assigned[] = [];
  /** What can make it run something that is not among the commands, in words. */
  readonly doubts = new Set<string>();
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** @param value - Null where only the shell will know it. */
  assign(name: string, value: string | null): void {
    this.assigned.push({ name, value, isPassedOn: false });
    const doubt = doubtOfSetting(name, value, this.#dialect);
    if (doubt !== null) this.doubts.add(doubt);
  }

  /** Programs are given what has been assigned since there were so many. */
  passOn(since: number): void {
    const last = this.assigned.splice(since);
    for (const one of last) this.assigned.push({ ...one, isPassedOn: true });
  }
}

/** A line that cannot be read further: what comes behind might be anything. */
export class NotReadable extends Error {}
