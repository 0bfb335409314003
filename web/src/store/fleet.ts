/** Holds all terminals and applies events to them: the store's reducer. Pure. */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import type { TerminalSummary } from '../../../src/contract/terminal.js';
import type { ManagerEvent, TerminalChange } from '../../../src/contract/watch.js';

export type Fleet = ReadonlyMap<string, OverviewTerminal>;
type Of<Type extends TerminalChange['type']> = Extract<TerminalChange, { readonly type: Type }>;

export function fleetOf(terminals: readonly OverviewTerminal[]): Fleet {
  return new Map(terminals.map((each) => [each.id, each]));
}

/** Applies an event. An event may be older than the overview, so it sets values and never increments them. */
export function changed(fleet: Fleet, event: ManagerEvent): Fleet {
  if (event.type === 'reset') return fleet;
  const known = fleet.get(event.terminalId);
  if (event.type === 'removed') return without(fleet, event.terminalId);
  if (event.type === 'created') return known ? fleet : fleetWith(fleet, newTerminal(event.terminal));
  return known === undefined ? fleet : fleetWith(fleet, { ...known, ...partOf(event, known) });
}

/** Takes over the details of a terminal that no event reports; the rest may be older than the last event. */
export function withDetails(fleet: Fleet, { id, ...read }: OverviewTerminal): Fleet {
  const known = fleet.get(id);
  if (known === undefined) return fleet;
  const { cwd, title, ports, foreground, viewers, cols, rows } = read;
  return fleetWith(fleet, { ...known, cwd, title, ports, foreground, viewers, cols, rows });
}

function fleetWith(fleet: Fleet, terminal: OverviewTerminal): Fleet {
  return new Map(fleet).set(terminal.id, terminal);
}

function without(fleet: Fleet, id: string): Fleet {
  const rest = new Map(fleet);
  rest.delete(id);
  return rest;
}

function partOf(event: Exclude<TerminalChange, Of<'created' | 'removed'>>, known: OverviewTerminal) {
  switch (event.type) {
    case 'changed':
      return { name: event.terminal.name, labels: event.terminal.labels };
    case 'command':
      return commandPart(event, known);
    case 'waiting':
      return { waiting: event.waiting };
    case 'answered':
      return known.waiting?.id === event.waiting ? { waiting: null } : {};
    case 'control':
      return { holder: event.holder };
    case 'ended':
      return { ...endPart(event), waiting: null, holder: null };
    case 'lines':
      return { lines: event.lines, totalLines: event.totalLines };
  }
}

function endPart({ endedBy, exitCode, signal }: Of<'ended'>) {
  const status = endedBy.reason === 'unknown' ? ('lost' as const) : ('exited' as const);
  return { status, endedBy, exitCode, signal };
}

/**
 * Returns what a command event changes. A nested command has a higher number than the one that contains it; an event
 * for a command with a lower number than the last known one changes nothing.
 */
function commandPart({ command, phase, at }: Of<'command'>, known: OverviewTerminal) {
  if (known.lastCommand !== null && command.commandId < known.lastCommand.commandId) return {};
  const isOld = known.lastCommand?.commandId === command.commandId && known.lastCommand.ended !== null;
  if (isOld && phase === 'began') return {};
  const { commandId, text, state, exitCode, started, ended } = command;
  return { lastCommand: { commandId, text, state, exitCode, started, ended }, lastActivity: at };
}

/** Returns a terminal that has only its summary until the next overview. */
function newTerminal(summary: TerminalSummary): OverviewTerminal {
  const nothing = { title: '', viewers: 0, totalLines: 0, foreground: null, holder: null, waiting: null };
  const { lastCommand, created } = summary;
  return {
    ...{ ...summary, ...nothing, cols: 80, rows: 24, ports: [], lines: [] },
    lastCommand: lastCommand && { ...lastCommand, started: created, ended: null },
  };
}
