/**
 * Determines which terminals a command acts on: the one whose ID is the first operand, or all that have the labels
 * given in place of the ID.
 */
import { commandName } from '../command-name.js';
import { labelsOf } from '../contract/labels.js';
import type { TerminalManager } from '../contract/manager.js';
import type { TerminalSummary } from '../contract/terminal.js';
import { TerminalError } from '../errors.js';
import type { ParsedCall } from './command.js';
import { usageError } from './parse.js';
import { printMessage } from './stdout.js';
import { findTerminal, isId, listedLines, shortId, throwUnlessIncomplete } from './terminal-id.js';

/** The operands and flags of a command that takes an ID or labels. */
export interface Selection {
  readonly operands: ParsedCall['operands'];
  readonly flags: { readonly label: readonly string[] };
}

/** `running`: for commands that cannot act on a terminal that has ended. */
export type SelectionScope = 'all' | 'running';

export function isByLabel({ flags }: Selection): boolean {
  return flags.label.length > 0;
}

/** Returns the words after the ID, or all words if labels replace it. */
export function wordsAfterId(call: Selection): readonly string[] {
  return isByLabel(call) ? call.operands : call.operands.slice(1);
}

/**
 * Returns all selected terminals, at least one.
 *
 * @throws The errors of `findTerminal`; `TERMINAL_NOT_FOUND` if no terminal has the labels.
 */
export async function allSelected(
  manager: TerminalManager,
  call: Selection,
  scope: SelectionScope = 'all',
): Promise<readonly TerminalSummary[]> {
  if (isByLabel(call)) return withLabels(manager, call.flags.label, scope);
  return [await findTerminal(manager, call.operands[0]!)];
}

/**
 * Returns the selected terminal. If several terminals have the labels, returns the only running one. Reports which
 * terminal labels have selected.
 *
 * @throws The errors of `allSelected`; `TERMINAL_NOT_FOUND` if the labels select several terminals.
 */
export async function oneSelected(
  manager: TerminalManager,
  call: Selection,
  scope: SelectionScope = 'all',
): Promise<TerminalSummary> {
  if (!isByLabel(call)) return findTerminal(manager, call.operands[0]!);
  const found = await withLabels(manager, call.flags.label, scope);
  const running = found.filter(isRunning);
  const [only, ...others] = running.length > 0 ? running : found;
  if (others.length > 0) throw tooMany(call.flags.label, found);
  printMessage(`terminal ${shortId(only!.id)} has ${describeLabels(call.flags.label)}`);
  return only!;
}

/**
 * Rejects text that begins with a terminal's ID if labels select the terminals: a caller that gives both labels and an
 * ID does not want the ID to be typed.
 */
export async function refuseIdAsText(manager: TerminalManager, name: string, call: Selection): Promise<void> {
  const [first = ''] = call.operands;
  if (!isByLabel(call) || !isId(await manager.list(), first)) return;
  throw usageError({ name }, `${JSON.stringify(first)} is the ID of a terminal. Give either ID or --label.`);
}

async function withLabels(
  manager: TerminalManager,
  texts: readonly string[],
  scope: SelectionScope,
): Promise<readonly TerminalSummary[]> {
  const labelled = await manager.list({ labels: labelsOf(texts) });
  const found = scope === 'all' ? labelled : labelled.filter(isRunning);
  if (found.length === 0)
    await throwUnlessIncomplete(manager, noMatchError(texts, 'is running', labelled), `with ${describeLabels(texts)}`);
  return found;
}

export function isRunning({ status }: TerminalSummary): boolean {
  return status === 'active';
}

/**
 * Returns the error for labels that select nothing.
 *
 * @param needed - A further condition that completes the sentence "No terminal with the label a=b …".
 * @param others - Terminals that have the labels but do not meet it.
 */
export function noMatchError(
  texts: readonly string[],
  needed: string,
  others: readonly TerminalSummary[],
): TerminalError {
  const message =
    others.length === 0
      ? `No terminal has ${describeLabels(texts)}. See ${commandName()} ls.`
      : [
          `No terminal with ${describeLabels(texts)} ${needed}. Terminals with ${describeLabels(texts)}:`,
          ...listedLines(others),
        ].join('\n');
  return new TerminalError('TERMINAL_NOT_FOUND', message, { labels: texts });
}

function tooMany(texts: readonly string[], found: readonly TerminalSummary[]): TerminalError {
  const lines = [`${found.length} terminals have ${describeLabels(texts)}; give the ID of one:`, ...listedLines(found)];
  return new TerminalError('TERMINAL_NOT_FOUND', lines.join('\n'), { labels: texts });
}

/** Describes labels, as in `the label a=b` or `the labels a=b, c=d`. */
function describeLabels(texts: readonly string[]): string {
  return `the label${texts.length === 1 ? '' : 's'} ${texts.join(', ')}`;
}
