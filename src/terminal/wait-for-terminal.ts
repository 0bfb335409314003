/** Provides the view of a terminal that waits use: its output, its processes' activity, and its commands. */
import { probeInput } from '../processes/input-probe.js';
import { ListeningPorts } from '../processes/listening-ports.js';
import { takeSnapshot } from '../processes/process-table.js';
import { membersOf } from '../processes/process-tree.js';
import type { TerminalProcesses } from '../processes/process-tree.js';
import type { WaitTarget } from '../wait/wait-for.js';

/** The part that the terminal itself provides. */
type Shown = Omit<WaitTarget, 'probeInput' | 'listeningPorts' | 'hasCommandEnded'> & {
  readonly commands: { record(commandId: number): { readonly ended: string | null } };
};

/** @param processes - Identifies the processes of the terminal. */
export function waitTarget(terminal: Shown, processes: TerminalProcesses): WaitTarget {
  const members = async (): Promise<number[]> => membersOf(await takeSnapshot(), processes).map(({ pid }) => pid);
  const ports = new ListeningPorts(processes.pid, members);
  return {
    get outputEnd() {
      return terminal.outputEnd;
    },
    get outputStart() {
      return terminal.outputStart;
    },
    get isActive() {
      return terminal.isActive;
    },
    get isOver() {
      return terminal.isOver;
    },
    get exit() {
      return terminal.exit;
    },
    readableFrom: (offset) => terminal.readableFrom(offset),
    bytesFrom: (from, maxBytes) => terminal.bytesFrom(from, maxBytes),
    nextChange: (signal) => terminal.nextChange(signal),
    probeInput: () => probeInput({ pid: processes.pid }),
    listeningPorts: () => ports.find(),
    hasCommandEnded: (commandId) => terminal.commands.record(commandId).ended !== null,
  };
}
