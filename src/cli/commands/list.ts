/** `tenacitty ls`: lists terminals as a human-readable table, as ids, or as JSON. */
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { placeProblems } from '../../config/place.js';
import { labelsOf } from '../../contract/labels.js';
import type { EndReason } from '../../contract/ending.js';
import type { TerminalManager } from '../../contract/manager.js';
import type { TerminalDetail, TerminalSummary } from '../../contract/terminal.js';
import type { ParsedCall } from '../command.js';
import { roundedDuration } from '../../duration.js';
import { printable } from '../../printable.js';
import { FAILED, OK } from '../exit-code.js';
import { reportProblems } from '../problems.js';
import { hasColour, print, printJson, printMessage } from '../stdout.js';
import type { LIST_FLAGS } from '../flags/read.js';
import { asInRest, shortIds } from '../terminal-id.js';
import { textTable } from '../text-table.js';
import { commandFormatter } from '../command-formatter.js';
import { withEngine } from '../with-engine.js';

const HEADINGS = ['STATUS', 'PID', 'PROGRAM', 'DIRECTORY', 'AGE', 'ACTIVE'];
const MAX_CELL = 40;
const GREEN = 32;
const RED = 31;
const YELLOW = 33;
/** Reasons that the exit code and the signal already express. */
const PLAIN: readonly EndReason[] = ['exit', 'signal', 'unknown'];

/** The data for a row: all details, or only the summary if the terminal is not responding or has been removed. */
type Listed = TerminalSummary & Partial<TerminalDetail>;

export function list({ flags, settings }: ParsedCall<typeof LIST_FLAGS>): Promise<number> {
  return withEngine(settings, async (manager, options) => {
    const labels = labelsOf(flags.label);
    const terminals = await manager.list(flags.label.length > 0 ? { labels } : {});
    if (flags.json) await printJson(terminals.map(asInRest));
    else if (flags.quiet || flags.names) await print(wordsOf(terminals, flags));
    else if (terminals.length > 0) await print(tableOf(await detailed(manager, terminals), Date.now()));
    const code = await reportProblems(manager);
    if (terminals.length > 0 || code !== OK) return code;
    // Reports a problem that affects every host even if there is no host.
    const { terminals: problem } = placeProblems(options);
    if (problem !== undefined) {
      printMessage(problem);
      return FAILED;
    }
    if (!flags.json && !flags.quiet && !flags.names) {
      const hint = `there are no terminals; to open one: ${commandFormatter(options)('new')}`;
      printMessage(flags.label.length > 0 ? 'no terminal has this label' : hint);
    }
    return code;
  });
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

function tableOf(terminals: readonly Listed[], now: number): string {
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
    cut(programOf(terminal), 'end'),
    cut(printable(atHome(terminal.cwd ?? terminal.startCwd)), 'start'),
    roundedDuration(now - Date.parse(terminal.created)),
    `${roundedDuration(now - Date.parse(terminal.lastActivity))} ago`,
    ...(haveCommands ? [lastCommandOf(terminal)] : []),
    ...(areHeld ? [printable(terminal.holder?.name ?? '')] : []),
    ...(areLabelled ? [cut(labelsIn(terminal), 'end')] : []),
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
function lastCommandOf({ lastCommand = null }: Listed): string {
  if (lastCommand === null) return '';
  const { text, state, exitCode } = lastCommand;
  const line = cut(printable(text.trim().replaceAll('\n', '; ')), 'end');
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

function inColour(text: string, colour: number): string {
  return hasColour() ? `\x1b[${colour}m${text}\x1b[0m` : text;
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
function cut(text: string, dropped: 'start' | 'end'): string {
  if (text.length <= MAX_CELL) return text;
  return dropped === 'end' ? `${text.slice(0, MAX_CELL - 1)}…` : `…${text.slice(1 - MAX_CELL)}`;
}
