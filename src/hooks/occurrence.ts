/**
 * Defines what hooks report: an occurrence in a terminal, and the event that is created from it. An occurrence has a
 * key that identifies it, no matter how the hook learned of it. Pure.
 */
import type { CommandRecord } from '../contract/command.js';
import type { EndedBy } from '../contract/ending.js';
import type { HookEvent, HookEventType, HookRequest } from '../contract/hooks.js';
import { hasLabels } from '../contract/labels.js';
import { listedText } from '../contract/command-state.js';
import type { TerminalSummary } from '../contract/terminal.js';
import type { Question } from '../contract/waiting.js';
import type { TerminalChange } from '../contract/watch.js';
import { roundedDuration } from '../duration.js';
import { printable } from '../printable.js';

export interface Occurrence {
  readonly type: HookEventType;
  readonly terminalId: string;
  /** Identifies the occurrence: the same each time it is reported, and unique in its terminal. */
  readonly key: string;
  readonly at: string;
  /** The message, without the terminal's name at its beginning. */
  readonly text: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** The command that has ended, if the occurrence is the end of a command. */
  readonly command?: CommandRecord;
}

interface End {
  readonly endedBy: EndedBy;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export function ended(terminalId: string, { endedBy, exitCode, signal }: End): Occurrence {
  const text = `has ended: ${howEnded(exitCode, signal)}`;
  return { type: 'ended', terminalId, key: 'ended', at: endedBy.at, text, facts: { endedBy, exitCode, signal } };
}

/** @param command - A command that has ended. */
export function commandEnded(command: CommandRecord): Occurrence {
  const { terminalId, commandId, exitCode, signal, durationMs, ended } = command;
  const took = durationMs === null ? '' : ` after ${roundedDuration(durationMs)}`;
  const text = `${printable(listedText(command.text))}: ${howEnded(exitCode, signal)}${took}`;
  return { type: 'command', terminalId, key: `command-${commandId}`, at: ended!, text, facts: { command }, command };
}

export function waitingFor(terminalId: string, at: string, waiting: Question): Occurrence {
  const text = `${printable(waiting.by)} is waiting for input: ${printable(waiting.prompt)}`;
  return { type: 'waiting', terminalId, key: `waiting-${waiting.id}`, at, text, facts: { waiting } };
}

function howEnded(exitCode: number | null, signal: string | null): string {
  if (signal !== null) return `ended by ${signal}`;
  return exitCode === null ? 'exit code unknown' : `exit code ${exitCode}`;
}

/** Returns what hooks can report about a change; null if there is nothing to report. */
export function occurrenceIn(change: TerminalChange): Occurrence | null {
  if (change.type === 'ended') return ended(change.terminalId, change);
  if (change.type === 'waiting') return waitingFor(change.terminalId, change.at, change.waiting);
  if (change.type === 'command' && change.command.ended !== null) return commandEnded(change.command);
  return null;
}

/** Returns whether a hook reports an occurrence if it selects the terminal. */
export function isReported({ on, longerThanMs = 0, failed }: HookRequest, { type, command }: Occurrence): boolean {
  if (!on.includes(type)) return false;
  if (command === undefined) return true;
  return (command.durationMs ?? 0) >= longerThanMs && (failed !== true || hasFailed(command));
}

function hasFailed({ state, exitCode, signal }: CommandRecord): boolean {
  return state === 'lost' || signal !== null || (exitCode ?? 0) !== 0;
}

export type KnownTerminal = Pick<TerminalSummary, 'name' | 'labels'>;

/**
 * Returns whether a hook's filter selects a terminal. @param terminal - Undefined if its name and labels are unknown.
 */
export function isSelected({ filter }: HookRequest, id: string, terminal: KnownTerminal | undefined): boolean {
  const { ids, labels, names } = filter;
  const hasName = names === undefined || names.some((name) => name === terminal?.name);
  return (ids === undefined || ids.includes(id)) && hasLabels(terminal?.labels ?? {}, labels) && hasName;
}

const SHORT_ID = 8;

/** @param tail - The last lines of output; undefined if the hook does not include them. */
export function eventOf(
  hookId: string,
  { type, terminalId, key, at, text, facts }: Occurrence,
  terminal: KnownTerminal | undefined,
  isLate: boolean,
  tail: string | null | undefined,
): HookEvent {
  const { name = null, labels = {} } = terminal ?? {};
  return {
    id: `${hookId}-${terminalId}-${key}`,
    type,
    timestamp: at,
    text: `${name ?? terminalId.slice(0, SHORT_ID)}: ${text}${isLate ? ' (late)' : ''}`,
    late: isLate,
    data: { terminalId, name, labels, ...facts, ...(tail !== undefined && { tail }) },
  };
}
