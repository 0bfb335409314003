/** Lists the commands of a terminal, the newest last, and formats them for use in other programs. Pure. */
import type { CommandRecord } from '../../../src/contract/command.js';
import { pathOf } from '../routing/route.js';

export function withCommand(commands: readonly CommandRecord[], command: CommandRecord): CommandRecord[] {
  const place = commands.findIndex(({ commandId }) => commandId === command.commandId);
  if (place >= 0) return commands.with(place, command);
  return [...commands, command].sort((a, b) => a.commandId - b.commandId);
}

/** Returns where the commands were when the terminal had printed this much. */
export function asOf<Command extends Pick<CommandRecord, 'fromOffset' | 'toOffset' | 'toLine'>>(
  commands: readonly Command[],
  offset: number,
): Command[] {
  return commands
    .filter(({ fromOffset }) => fromOffset <= offset)
    .map((each) => (each.toOffset !== null && each.toOffset > offset ? { ...each, toLine: null } : each));
}

/** Returns the next command in this direction, optionally only a failed one, or `from` if there is none. */
export function nextCommand(
  commands: readonly CommandRecord[],
  from: number | null,
  step: 1 | -1,
  { onlyFailed = false } = {},
): number | null {
  const fit = commands.filter(({ exitCode }) => !onlyFailed || (exitCode !== null && exitCode !== 0));
  const ordered = step === 1 ? fit : fit.toReversed();
  const found = ordered.find(({ commandId }) => from === null || (commandId - from) * step > 0);
  return found?.commandId ?? (from === null ? null : from);
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function asCurl(origin: string, terminal: string, command: string): string {
  const body = quoted(JSON.stringify({ command }));
  const address = `${origin}/api/terminals/${encodeURIComponent(terminal)}/exec`;
  return `curl -X POST ${quoted(address)} -H 'Content-Type: application/json' -d ${body}`;
}

export function asLibraryCall(terminal: string, command: string): string {
  return `await client.exec(${JSON.stringify(terminal)}, { command: ${JSON.stringify(command)} });`;
}

/** Returns the arguments of the MCP tool `terminal` that run the command, as JSON. */
export function asMcpCall(terminal: string, command: string): string {
  return JSON.stringify({ action: 'EXEC', id: terminal, command });
}

/** Returns the path of the history, at the start of the command's output. */
export function pathTo(terminal: string, { fromLine }: Pick<CommandRecord, 'fromLine'>): string {
  return `${pathOf(terminal, 'history')}#L${fromLine}`;
}

export function linkTo(origin: string, terminal: string, command: Pick<CommandRecord, 'fromLine'>): string {
  return origin + pathTo(terminal, command);
}
