/**
 * `tenacitty commands` and `tenacitty interrupt`: list a terminal's commands, print their output, and interrupt them.
 */
import { isOver } from '../../contract/command.js';
import type { CommandRecord } from '../../contract/command.js';
import type { TerminalManager } from '../../contract/manager.js';
import { MAX_PAGE_BYTES, MAX_PAGE_LINES } from '../../contract/output.js';
import type { OutputPage, ReadOutput } from '../../contract/output.js';
import { printable } from '../../printable.js';
import type { ParsedCall } from '../command.js';
import { actOnEach } from '../each-terminal.js';
import { describeLostCommand } from '../lost-command.js';
import { usageError } from '../parse.js';
import { allSelected, isByLabel, oneSelected, wordsAfterId } from '../selection.js';
import { print, printJson, printMessage } from '../stdout.js';
import type { COMMANDS_FLAGS, INTERRUPT_FLAGS } from '../flags/commands.js';
import { shortId } from '../terminal-id.js';
import { textTable } from '../text-table.js';
import { commandFormatter } from '../command-formatter.js';
import { withEngine } from '../with-engine.js';

const HEADINGS = ['N', 'STATE', 'EXIT', 'TIME', 'DIRECTORY', 'COMMAND'];
const MAX_CELL = 60;
/** The largest page, which has room for all commands that are kept; see MAX_COMMANDS_PAGE in the contract. */
const ALL = { limit: 1000 } as const;
const LARGEST_PAGE = { maxLines: MAX_PAGE_LINES, maxBytes: MAX_PAGE_BYTES } as const;

export function commands(call: ParsedCall<typeof COMMANDS_FLAGS>): Promise<void> {
  const { flags, settings } = call;
  const [number] = wordsAfterId(call);
  const commandId = number === undefined ? undefined : readNumber('commands', number);
  if (flags.output && commandId === undefined)
    throw usageError({ name: 'commands' }, 'N is missing: --output needs the number of a command.');
  return withEngine(settings, async (manager) => {
    const { id } = await oneSelected(manager, call);
    if (commandId !== undefined && flags.output) return printOutput(manager, id, commandId, flags.json);
    const records = commandId === undefined ? await manager.commands(id, ALL) : [await manager.command(id, commandId)];
    if (flags.json) return printJson(commandId === undefined ? records : records[0]);
    if (records.length > 0) return print(tableOf(records));
    printMessage(`terminal ${shortId(id)} has no recorded commands`);
  });
}

export function interrupt(call: ParsedCall<typeof INTERRUPT_FLAGS>): Promise<number> {
  const [number] = wordsAfterId(call);
  const requested = number === undefined ? undefined : readNumber('interrupt', number);
  return withEngine(call.settings, async (manager, options) => {
    // Commands are numbered separately in each terminal, so a number requires exactly one terminal.
    const isForOne = requested !== undefined || !isByLabel(call);
    const terminals = isForOne ? [await oneSelected(manager, call)] : await allSelected(manager, call, 'running');
    return actOnEach(terminals, ({ id }) => interruptIn(manager, id, requested), commandFormatter(options));
  });
}

async function interruptIn(manager: TerminalManager, id: string, requested: number | undefined): Promise<void> {
  const commandId = requested ?? (await runningOf(manager, id));
  if (commandId === undefined) return printMessage(`no command is running in terminal ${shortId(id)}`);
  const { state } = await manager.command(id, commandId);
  if (state === 'lost') return printMessage(describeLostCommand(id, commandId));
  if (state === 'completed') return printMessage(`command ${commandId} of terminal ${shortId(id)} has already ended`);
  await manager.interrupt(id, commandId);
}

async function runningOf(manager: TerminalManager, id: string): Promise<number | undefined> {
  const [newest] = await manager.commands(id, { limit: 1 });
  return newest === undefined || isOver(newest) ? undefined : newest.commandId;
}

function readNumber(name: string, given: string): number {
  if (/^[1-9]\d{0,14}$/.test(given)) return Number(given);
  throw usageError({ name }, `N: expected the number of a command, given ${JSON.stringify(given)}.`);
}

/** Prints all output so far, page by page. */
async function printOutput(manager: TerminalManager, id: string, commandId: number, isJson: boolean): Promise<void> {
  const read = (request: ReadOutput): Promise<OutputPage> => manager.readCommand(id, commandId, request);
  if (isJson) return printJson(await read(LARGEST_PAGE));
  let page = await read({});
  if (page.droppedLines > 0) printMessage(`${page.droppedLines} lines are no longer held`);
  for (let hasPrinted = false; ; page = await read({ cursor: page.cursor })) {
    if (page.stats.linesShown > 0) await print((hasPrinted && !page.continuesLine ? '\n' : '') + page.output);
    hasPrinted ||= page.stats.linesShown > 0;
    if (page.hasMore) continue;
    return hasPrinted ? print('\n') : undefined;
  }
}

function tableOf(records: readonly CommandRecord[]): string {
  const rows = records.map(({ commandId, state, exitCode, signal, durationMs, startCwd, text }) => [
    String(commandId),
    state,
    signal ?? String(exitCode ?? ''),
    durationMs === null ? '' : inSeconds(durationMs),
    printable(startCwd ?? ''),
    cut(printable(text.trim().replaceAll('\n', '; '))),
  ]);
  return textTable([HEADINGS, ...rows]);
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)}s`;
}

function cut(text: string): string {
  return text.length <= MAX_CELL ? text : `${text.slice(0, MAX_CELL - 1)}…`;
}
