/** Lists the commands of a terminal, the newest last, and formats them for use in other programs. Pure. */
import type { CommandRecord } from '../../../src/contract/command.js';

export function withCommand(commands: readonly CommandRecord[], command: CommandRecord): CommandRecord[] {
  const place = commands.findIndex(({ commandId }) => commandId === command.commandId);
  if (place >= 0) return commands.with(place, command);
  return [...commands, command].sort((a, b) => a.commandId - b.commandId);
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
