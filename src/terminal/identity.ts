/**
 * Defines a terminal's identity: what is fixed when it starts, and its name and labels, which may change later. Pure;
 * does not depend on other terminals.
 */
import type { Caller } from '../contract/caller.js';
import { hasLabels, MAX_LABELS } from '../contract/labels.js';
import type { TerminalLabels } from '../contract/labels.js';
import { currentOf } from '../contract/name.js';
import type { ListTerminals, TerminalSummary, UpdateTerminal } from '../contract/terminal.js';
import { invalidInput, TerminalError } from '../errors.js';

export interface Identity {
  readonly id: string;
  /** Path of the shell or program. */
  readonly file: string;
  readonly args: readonly string[];
  /** The directory that it was started in. */
  readonly startCwd: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly name: string | null;
  readonly labels: TerminalLabels;
  /** How long it may run; null if there is no limit. */
  readonly timeLimitMs: number | null;
  /** Whether it exists for one command and ends with it. */
  readonly endsWithCommand?: boolean;
  /** Absent if unknown. */
  readonly createdBy?: Caller | null;
}

/** @throws `INVALID_INPUT` if the terminal would have too many labels. */
export function withChanges(identity: Identity, { name = identity.name, labels = {} }: UpdateTerminal): Identity {
  const merged = Object.entries({ ...identity.labels, ...labels });
  const kept = Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== null));
  const count = Object.keys(kept).length;
  if (count <= MAX_LABELS) return { ...identity, name, labels: kept };
  const expected = `at most ${MAX_LABELS} labels, including the existing ones`;
  throw invalidInput({ field: 'labels', message: `expected ${expected}; it would have ${count}`, expected });
}

/** Returns whether it has the name and all the labels requested. */
export function matchesFilter(identity: Identity, { name, labels }: ListTerminals): boolean {
  return hasLabels(identity.labels, labels) && (name === undefined || name === identity.name);
}

/**
 * @param named - Terminals with this name.
 * @param id - The terminal that is to get the name.
 * @throws `NAME_TAKEN` if another running terminal has it.
 */
export function checkNameFree(name: string, named: readonly TerminalSummary[], id: string | undefined): void {
  const holder = currentOf(named.filter((one) => one.id !== id && one.status === 'active'));
  if (holder === undefined) return;
  const message =
    `Terminal ${holder.id} has the name ${name} and is running; ` + 'choose another name, use that terminal, or end it';
  throw new TerminalError('NAME_TAKEN', message, { name, terminalId: holder.id });
}

export type Created = Pick<TerminalSummary, 'created'>;

/** Compares two terminals for sorting, oldest first. */
export function byCreation(one: Created, other: Created): number {
  return one.created < other.created ? -1 : Number(one.created > other.created);
}
