/** Describes many terminals at once, for a page that shows all of them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OverviewRequest, OverviewTerminal } from '../contract/overview.js';
import type { PortsByTerminal } from '../processes/listening-ports.js';
import type { BaseTerminal } from './base-terminal.js';
import { byCreation } from './identity.js';

/** After this long, other work gets a turn. */
const TURN_MS = 5;

/** Returns the requested terminals among these, oldest first. */
export async function overviewOf(
  terminals: readonly BaseTerminal[],
  request: OverviewRequest,
  listening: PortsByTerminal,
): Promise<OverviewTerminal[]> {
  const wanted = terminals.filter((terminal) => isWanted(terminal, request));
  const ports = wanted.length === 0 ? new Map<string, number[]>() : await listening.find();
  const shown: OverviewTerminal[] = [];
  let began = performance.now();
  for (const terminal of wanted) {
    shown.push(shownOf(terminal, ports.get(terminal.id) ?? []));
    if (performance.now() - began < TURN_MS) continue;
    await nextTurn();
    began = performance.now();
  }
  return shown.sort(byCreation);
}

function shownOf(terminal: BaseTerminal, ports: readonly number[]): OverviewTerminal {
  const { size, title, viewers, foreground, waiting, hold, commands } = terminal;
  const people = { viewers, holder: hold.holder };
  const output = { ...size, title, ...terminal.lastLines() };
  const doing = { foreground, waiting, lastCommand: commands.newest, ports: [...ports] };
  return { ...terminal.summary(), ...people, ...output, ...doing };
}

function isWanted(terminal: BaseTerminal, { ids, labels, status = terminal.status }: OverviewRequest): boolean {
  return ids?.includes(terminal.id) !== false && terminal.status === status && terminal.fits({ labels });
}
