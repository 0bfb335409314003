/** `tenacitty ls`: lists terminals as a human-readable table, as ids, or as JSON. */
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { placeProblems } from '../../config/place.js';
import { labelsOf } from '../../contract/labels.js';
import type { EndReason } from '../../contract/ending.js';
import type { TerminalManager } from '../../contract/manager.js';
import { terminalSummary } from '../../contract/terminal.js';
import type { TerminalDetail, TerminalSummary } from '../../contract/terminal.js';
import type { ParsedCall } from '../command.js';
import { roundedDuration } from '../../duration.js';
import { printable } from '../../printable.js';
import { FAILED, OK } from '../exit-code.js';
import { usageError } from '../parse.js';
import { reportProblems } from '../problems.js';
import { GREEN, inColour, print, printJson, printMessage, RED, YELLOW } from '../stdout.js';
import type { LIST_FLAGS } from '../flags/read.js';
import { asInRest, shortIds } from '../terminal-id.js';
import { formatProblem, formatted, textTable, widthOf } from '../text-table.js';
import { commandFormatter } from '../command-formatter.js';
import { withEngine } from '../with-engine.js';

const HEADINGS = ['STATUS', 'PID', 'PROGRAM', 'DIRECTORY', 'AGE', 'ACTIVE'];
const MAX_CELL = 40;
/** Cells are not cut below this, even if the table is then wider than the terminal. */
const MIN_CELL = 12;
/** The fields that `--format` accepts: those that `--json` prints. */
const FIELDS = [...Object.keys(terminalSummary.shape), 'terminalId'];
/** Reasons that the exit code and the signal already express. */
const PLAIN: readonly EndReason[] = ['exit', 'signal', 'unknown'];

/** The data for a row: all details, or only the summary if the terminal is not responding or has been removed. */
type Listed = TerminalSummary & Partial<TerminalDetail>;

export function list({ flags, settings }: ParsedCall<typeof LIST_FLAGS>): Promise<number> {
  const wrong = flags.format === undefined ? undefined : formatProblem(flags.format, FIELDS);
  if (wrong !== undefined) throw usageError({ name: 'ls' }, `--format: ${wrong}`);
  return withEngine(settings, async (manager, options) => {
    const labels = labelsOf(flags.label);
    const all = await manager.list(flags.label.length > 0 ? { labels } : {});
    const terminals = all.filter(({ status }) => !flags.running || status === 'active');
    if (flags.json) await printJson(terminals.map(asInRest));
    else if (flags.format !== undefined) await print(linesOf(terminals, flags.format));
    else if (flags.quiet || flags.names) await print(wordsOf(terminals, flags));
    else if (terminals.length > 0) await print(fittedTable(await detailed(manager, terminals)));
    const code = await reportProblems(manager);
    if (terminals.length > 0 || code !== OK) return code;
    // Reports a problem that affects every host even if there is no host.
    const { terminals: problem } = placeProblems(options);
    if (problem !== undefined) {
      printMessage(problem);
      return FAILED;
    }
    if (!flags.json && !flags.quiet && !flags.names && flags.format === undefined) {
      const what = flags.running ? 'running terminals' : 'terminals';
      const hint = `there are no ${what}; to open one: ${commandFormatter(options)('new')}`;
      printMessage(flags.label.length > 0 ? `no ${flags.running ? 'running ' : ''}terminal has this label` : hint);
    }
    return code;
  });
}

function linesOf(terminals: readonly TerminalSummary[], template: string): string {
  return terminals.map((terminal) => formatted(template, asInRest(terminal))).join('');
}

/** Returns one line for each id and name, as requested. */
function wordsOf(terminals: readonly TerminalSummary[], { quiet, names }: { quiet: boolean; names: boolean }): string {
  const words = terminals.flatMap(({ id, name }) => [
    ...(quiet ? [id] : []),
    ...(names && name !== null ? [name] : []),
  ]);
  return words.map((word) => `${word}\n`).join('');
}

/** Adds the details. Returns the summary for a terminal that is not responding or has been removed in the meantime. */
function detailed(manager: TerminalManager, terminals: readonly TerminalSummary[]): Promise<Listed[]> {
  return Promise.all(terminals.map((terminal) => manager.get(terminal.id).catch(() => terminal)));
}

/** Returns the table, with long cells cut so that rows fit the width of the person's terminal, if there is one. */
function fittedTable(terminals: readonly Listed[]): string {
  const width = process.stdout.isTTY ? process.stdout.columns || Infinity : Infinity;
  const now = Date.now();
  for (let maxCell = MAX_CELL; ; maxCell--) {
    const table = tableOf(terminals, now, maxCell);
    if (maxCell <= MIN_CELL || table.split('\n').every((row) => widthOf(row) <= width)) return table;
  }
}

function tableOf(terminals: readonly Listed[], now: number, maxCell: number): string {
  const ids = shortIds(terminals.map(({ id }) => id));
  const areNamed = terminals.some(({ name }) => name !== null);
  const areLabelled = terminals.some(({ labels = {} }) => Object.keys(labels).length > 0);
  const areHeld = terminals.some(({ holder = null }) => holder !== null);
  const haveCommands = terminals.some(({ lastCommand = null }) => lastCommand !== null);
  const rows = terminals.map((terminal) => [
    ids.get(terminal.id)!,
    ...(areNamed ? [terminal.name ?? ''] : []),
    statusOf(terminal),
    String(terminal.pid),
    cut(programOf(terminal), 'end', maxCell),
    cut(printable(atHome(terminal.cwd ?? terminal.startCwd)), 'start', maxCell),
    roundedDuration(now - Date.parse(terminal.created)),
    `${roundedDuration(now - Date.parse(terminal.lastActivity))} ago`,
    ...(haveCommands ? [lastCommandOf(terminal, maxCell)] : []),
    ...(areHeld ? [printable(terminal.holder?.name ?? '')] : []),
    ...(areLabelled ? [cut(labelsIn(terminal), 'end', maxCell)] : []),
  ]);
  const more = [
    ...(haveCommands ? ['LAST COMMAND'] : []),
    ...(areHeld ? ['HELD BY'] : []),
    ...(areLabelled ? ['LABELS'] : []),
  ];
  const headings = ['ID', ...(areNamed ? ['NAME'] : []), ...HEADINGS, ...more];
  return textTable([headings, ...rows]);
}

/** Returns the text of the terminal's last command, and its outcome unless it succeeded. */
function lastCommandOf({ lastCommand = null }: Listed, maxCell: number): string {
  if (lastCommand === null) return '';
  const { text, state, exitCode } = lastCommand;
  const line = cut(printable(text.trim().replaceAll('\n', '; ')), 'end', maxCell);
  if (state !== 'completed') return `${line} (${state})`;
  return exitCode === 0 ? line : `${line} (exit ${exitCode ?? 'code unknown'})`;
}

function labelsIn({ labels = {} }: Listed): string {
  return printable(
    Object.entries(labels)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  );
}

function statusOf({ status, exitCode, signal, endedBy = null }: Listed): string {
  if (status === 'active') return inColour(status, GREEN);
  if (status === 'lost') return inColour(status, YELLOW);
  const how = signal ?? exitCode ?? '';
  const why = endedBy === null || PLAIN.includes(endedBy.reason) ? '' : ` (${endedBy.reason})`;
  return how === 0 && why === '' ? `${status} 0` : inColour(`${status} ${how}`.trim() + why, RED);
}

/** Returns the program with its arguments and, if a different program is in the foreground, that program's name. */
function programOf({ shell, args = [], foreground = null }: Listed): string {
  const name = basename(shell);
  const now = foreground !== null && foreground.name !== name ? ` (${foreground.name})` : '';
  return printable([name, ...args].join(' ') + now);
}

function atHome(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** Shortens text. Directories are cut at the start and programs at the end, which keeps the more informative part. */
function cut(text: string, dropped: 'start' | 'end', maxCell: number): string {
  if (text.length <= maxCell) return text;
  return dropped === 'end' ? `${text.slice(0, maxCell - 1)}…` : `…${text.slice(1 - maxCell)}`;
}
