/** LIST: lists the terminals and what each one is doing. */
import { isOver } from '../../contract/command.js';
import type { CommandState } from '../../contract/command.js';
import type { LastCommand } from '../../contract/command-state.js';
import type { TerminalDetail } from '../../contract/terminal.js';
import { countWithin } from '../output-budget.js';
import { answer, MAX_OUTPUT_CHARS } from '../answer.js';
import type { ToolAnswer, Metadata } from '../answer.js';
import type { ActionCall } from '../call.js';
import { detailsOf } from '../terminal-numbers.js';
import { currentResult } from '../outcome.js';
import { nameOf } from '../workspace.js';
import type { Workspace } from '../workspace.js';

const MAX_SHOWN_COMMAND = 80;
/** Maximum number of ended terminals in the list. */
const MAX_ENDED = 100;

export async function list(call: ActionCall): Promise<ToolAnswer> {
  const { workspace, args } = call;
  const own = [...(await workspace.numbers.all()).values()];
  const ended = own.filter(({ status }) => status !== 'active');
  const shown = args.all === true ? await allVisible(call, own) : own.filter(({ status }) => status === 'active');
  const all = await Promise.all(shown.map((detail) => rowOf(call, detail)));
  const rows = affordableRows(all);
  const endedNumbers = ended.slice(0, MAX_ENDED).map((detail) => workspace.numbers.numberOf(detail)!);
  const lines = rows.map(inWords);
  const leftOut = all.length - rows.length;
  if (leftOut > 0) lines.push(`[… ${leftOut} more left out; KILL terminals that you do not need …]`);
  if (args.all !== true && ended.length > 0) {
    lines.push(`Ended, but READ still returns their output: ${endedNumbers.join(', ')}.`);
  }
  return answer(lines.join('\n') || 'No terminals yet; EXEC creates one.', {
    terminals: rows,
    left_out_terminals: leftOut || null,
    ended: ended.length > 0 ? endedNumbers : null,
  });
}

/**
 * Returns as many of the first rows as the result has room for. Each row appears twice: in the facts and in the text.
 */
function affordableRows(rows: readonly Row[]): readonly Row[] {
  return rows.slice(
    0,
    countWithin(
      rows.map((row) => (JSON.stringify(row).length + inWords(row).length) / MAX_OUTPUT_CHARS),
      1,
    ),
  );
}

async function allVisible({ workspace }: ActionCall, own: readonly TerminalDetail[]): Promise<TerminalDetail[]> {
  const ids = new Set(own.map(({ id }) => id));
  const others = (await workspace.manager.list()).filter(({ id }) => !ids.has(id));
  return [...own, ...(await detailsOf(workspace.manager, others))];
}

interface Row extends Metadata {
  readonly id: string;
  readonly name?: string;
  readonly terminal?: number;
  readonly cwd: string;
  readonly exit_code?: number;
  readonly completed: boolean;
  readonly status?: string;
  readonly signal?: string;
  readonly ended_by?: string;
  /** State of a command that is still running. */
  readonly state?: CommandState;
  /** The text of the last command or, if the program is not a shell, the program's own command line. */
  readonly command?: string;
  readonly program?: string;
}

/** Describes a terminal by its last command or, if its program is not a shell, by its program. */
async function rowOf({ workspace }: ActionCall, detail: TerminalDetail): Promise<Row> {
  const { id, name, cwd, startCwd, status, lastCommand: last } = detail;
  const isActive = status === 'active';
  const exitCode = isActive ? last?.exitCode : detail.exitCode;
  const state = isActive && last !== null && !isOver(last) ? await stateOf(workspace, id, last) : undefined;
  return {
    ...{ ...nameOf({ id, number: workspace.numbers.numberOf(detail) }), id, cwd: cwd ?? startCwd },
    ...(name !== null && { name }),
    ...(typeof exitCode === 'number' && { exit_code: exitCode }),
    completed: !isActive || (detail.integrated && (last === null || isOver(last))),
    ...(!isActive && endOf(detail)),
    ...(state !== undefined && { state }),
    ...(last === null ? { program: detail.shell } : { command: brief(last.text), command_id: last.commandId }),
  };
}

function endOf({ status, signal, endedBy }: TerminalDetail): Pick<Row, 'status' | 'signal' | 'ended_by'> {
  return { status, ...(signal !== null && { signal }), ...(endedBy !== null && { ended_by: endedBy.reason }) };
}

async function stateOf(workspace: Workspace, id: string, { commandId, state }: LastCommand): Promise<CommandState> {
  return (await currentResult(workspace, id, commandId).catch(() => ({ state }))).state;
}

function inWords(row: Row): string {
  const { terminal, id, name, status, signal, state, completed, exit_code: exitCode, cwd, command, program } = row;
  const number = terminal === undefined ? [] : [`terminal ${terminal}`];
  // The number alone would be ambiguous, because an ended terminal's number may have been reused.
  const own = terminal === undefined || status !== undefined ? [`id ${id}`] : [];
  const which = [...number, ...own].join(', ') + (name === undefined ? '' : ` (${name})`);
  const how = status ?? (completed ? 'free' : (state ?? 'running'));
  const code = exitCode === undefined ? signal && ` (${signal})` : ` (exit code ${exitCode})`;
  return `${which}: ${how}${code ?? ''}, in ${inOneLine(cwd)}: ${inOneLine(command ?? program ?? '')}`;
}

/**
 * Escapes characters so that a row stays on one line. Otherwise, the name of a directory could start a new line or
 * contain a terminal escape sequence.
 */
function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`);
}

function brief(text: string): string {
  const line = text.split('\n', 1)[0]!;
  return line.length > MAX_SHOWN_COMMAND || line !== text ? `${line.slice(0, MAX_SHOWN_COMMAND)}…` : line;
}
