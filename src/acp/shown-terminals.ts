/**
 * Models all terminals of a connection for display, whichever side runs them: the client's own, which `TerminalDisplay`
 * reports, and the agent's, which are parsed from its updates. Keeps terminals that have ended or been released as long
 * as there is room.
 */
import { z } from 'zod';
import { check } from '../check.js';
import type { ShownTerminal, TerminalDisplay, TerminalExit } from './display.js';
import { RetainedOutput } from './retained-output.js';
import { parseTerminalReports } from './terminal-reports.js';
import type { StateReport, TerminalReport } from './terminal-reports.js';

/** The current state of a terminal. The object is kept up to date. */
export interface TerminalView extends ShownTerminal {
  /** Which side runs the terminal: this client, through `terminal/*`, or the agent. */
  readonly owner: 'client' | 'agent';
  /** The end of the output as text, with escape sequences and plain line endings. */
  readonly output: string;
  /** Whether any output before `output` is missing. */
  readonly isTruncated: boolean;
  /** Null while the command is running. */
  readonly exit: TerminalExit | null;
  /** The tool calls to show the terminal with, in the order in which they referred to it. */
  readonly toolCallIds: readonly string[];
}

/**
 * A change to a terminal: it has become known (`started`), its command or directory has changed (`described`), it has
 * printed output (`output`, with the raw bytes), its output has been replaced (`replaced`), it has `ended`, or it must
 * be shown with a further tool call (`anchored`, which may precede `started`).
 */
export type TerminalChange =
  | { readonly type: 'started' | 'described' | 'replaced' | 'ended'; readonly terminal: TerminalView }
  | { readonly type: 'output'; readonly terminal: TerminalView; readonly data: Uint8Array }
  | { readonly type: 'anchored'; readonly terminal: TerminalView; readonly toolCallId: string };

export interface ShownTerminalsLimits {
  /** Maximum number of output bytes kept for each terminal: a whole number, or 0 for none. Default: 256 KiB. */
  readonly outputBytes: number;
  /**
   * Maximum number of terminals kept, at least 1. Beyond this number, a terminal that has ended is dropped first, then
   * one of which only the id is known, then the oldest. Default: 128.
   */
  readonly terminals: number;
}

const shownTerminalsLimits = z.object({
  outputBytes: z
    .int()
    .min(0)
    .default(256 << 10),
  terminals: z.int().min(1).default(128),
});
/** Maximum number of tool calls that a terminal is shown with. Further ones are ignored. */
const MAX_ANCHORS = 64;

/**
 * Holds the terminals of a connection for display to a person. Pass it to `AcpTerminals` as the `display` of the
 * terminals that this client runs, and pass the agent's updates to `take` (or its stream to `watchUpdates`), which
 * place terminals and report those that the agent runs itself. Unknown ids are never an error. Released terminals
 * remain until there is no more room; with the default limits, their output takes at most about 100 MiB of memory, and
 * far less if commands print little.
 */
export class ShownTerminals implements TerminalDisplay {
  readonly #limits: ShownTerminalsLimits;
  readonly #onChange: (change: TerminalChange) => void;
  readonly #entries = new Map<string, TerminalEntry>();
  /** The terminals that this client runs, keyed by their ids, which are unique. */
  readonly #ours = new Map<string, TerminalEntry>();

  /**
   * @param onChange - Called for each change, in order. Errors that it throws reach the caller that reported the
   * change; `AcpTerminals` and `watchUpdates` ignore them.
   * @throws `INVALID_INPUT` if a limit is invalid.
   */
  constructor(onChange: (change: TerminalChange) => void = () => {}, limits: Partial<ShownTerminalsLimits> = {}) {
    this.#onChange = onChange;
    this.#limits = check('', shownTerminalsLimits, limits);
  }

  started(terminal: ShownTerminal): void {
    const entry = this.#entry(terminal.sessionId, terminal.terminalId);
    entry.becomeOurs(terminal);
    this.#ours.set(terminal.terminalId, entry);
    this.#onChange({ type: 'started', terminal: entry });
  }

  output(terminalId: string, data: Uint8Array): void {
    const entry = this.#ours.get(terminalId);
    if (entry) this.#print(entry, data);
  }

  ended(terminalId: string, exit: TerminalExit): void {
    const entry = this.#ours.get(terminalId);
    if (entry) this.#end(entry, exit);
  }

  /** Processes the params of an agent's `session/update`, `{sessionId, update}`. The update can be of any kind. */
  take(sessionId: string, update: unknown): void {
    for (const report of parseTerminalReports(update)) this.#take(sessionId, report);
  }

  /** Returns the terminal with the id that a tool call's content contains, or undefined while only its id is known. */
  get(sessionId: string, terminalId: string): TerminalView | undefined {
    const entry = this.#entries.get(keyOf(sessionId, terminalId));
    return entry?.isKnown ? entry : undefined;
  }

  /** Returns all known terminals, oldest first. */
  list(): TerminalView[] {
    return [...this.#entries.values()].filter(({ isKnown }) => isKnown);
  }

  /** Returns the known terminals that must be shown with a tool call. */
  ofToolCall(sessionId: string, toolCallId: string): TerminalView[] {
    return this.list().filter((shown) => shown.sessionId === sessionId && shown.toolCallIds.includes(toolCallId));
  }

  /** Drops a session's terminals, whether they have ended or not. */
  forgetSession(sessionId: string): void {
    for (const [key, entry] of this.#entries) if (entry.sessionId === sessionId) this.#forget(key, entry);
  }

  #take(sessionId: string, report: TerminalReport): void {
    const entry = this.#entry(sessionId, report.terminalId);
    if (report.kind === 'anchored') return this.#anchor(entry, report.toolCallId);
    // The client's own information about a terminal that it runs takes precedence.
    if (entry.owner === 'client') return;
    if (!entry.isKnown) {
      entry.isKnown = true;
      if (report.kind === 'stated') entry.describe(report);
      this.#onChange({ type: 'started', terminal: entry });
    } else if (report.kind === 'stated' && entry.describe(report)) {
      this.#onChange({ type: 'described', terminal: entry });
    }
    if (report.kind === 'printed') this.#print(entry, entry.bytesOf(report.data));
    else this.#state(entry, report);
  }

  #anchor(entry: TerminalEntry, toolCallId: string): void {
    if (!entry.stand(toolCallId)) return;
    this.#onChange({ type: 'anchored', terminal: entry, toolCallId });
  }

  #print(entry: TerminalEntry, data: Uint8Array): void {
    if (data.length === 0) return;
    entry.print(data);
    this.#onChange({ type: 'output', terminal: entry, data });
  }

  #state(entry: TerminalEntry, { output, exit }: StateReport): void {
    if (output !== undefined) this.#replace(entry, output ?? new Uint8Array());
    if (exit === null) entry.exit = null;
    else if (exit !== undefined) this.#end(entry, exit);
  }

  /** Replaces the output. If the new output only extends the old one, reports this as plain `output`. */
  #replace(entry: TerminalEntry, output: Uint8Array): void {
    const before = { output: entry.output, isTruncated: entry.isTruncated };
    entry.replace(output);
    if (!before.isTruncated && !entry.isTruncated && entry.output.startsWith(before.output)) {
      const data = Buffer.from(entry.output.slice(before.output.length));
      if (data.length > 0) this.#onChange({ type: 'output', terminal: entry, data });
    } else {
      this.#onChange({ type: 'replaced', terminal: entry });
    }
  }

  #end(entry: TerminalEntry, exit: TerminalExit): void {
    const isNew = entry.exit === null;
    entry.end(exit);
    if (isNew) this.#onChange({ type: 'ended', terminal: entry });
  }

  #entry(sessionId: string, terminalId: string): TerminalEntry {
    const key = keyOf(sessionId, terminalId);
    const known = this.#entries.get(key);
    if (known) return known;
    if (this.#entries.size >= this.#limits.terminals) this.#forgetOne();
    const entry = new TerminalEntry(sessionId, terminalId, this.#limits.outputBytes);
    this.#entries.set(key, entry);
    return entry;
  }

  #forgetOne(): void {
    const all = [...this.#entries];
    const [key, entry] =
      all.find(([, { exit }]) => exit !== null) ?? all.find(([, { isKnown }]) => !isKnown) ?? all[0]!;
    this.#forget(key, entry);
  }

  #forget(key: string, entry: TerminalEntry): void {
    this.#entries.delete(key);
    if (entry.owner === 'client') this.#ours.delete(entry.terminalId);
  }
}

class TerminalEntry implements TerminalView {
  readonly #outputBytes: number;
  readonly #toolCallIds = new Set<string>();
  #output: RetainedOutput;
  /** The first half of a surrogate pair whose second half may follow. */
  #half = '';
  /** Whether more than the terminal's id is known. */
  isKnown = false;
  owner: TerminalView['owner'] = 'agent';
  command: string | null = null;
  cwd: string | null = null;
  exit: TerminalExit | null = null;

  constructor(
    readonly sessionId: string,
    readonly terminalId: string,
    outputBytes: number,
  ) {
    this.#outputBytes = outputBytes;
    this.#output = new RetainedOutput(outputBytes);
  }

  get output(): string {
    return this.#output.read().output;
  }

  get isTruncated(): boolean {
    return this.#output.read().truncated;
  }

  get toolCallIds(): readonly string[] {
    return [...this.#toolCallIds];
  }

  becomeOurs({ command, cwd }: ShownTerminal): void {
    Object.assign(this, { isKnown: true, owner: 'client', command, cwd, exit: null });
    this.replace(new Uint8Array());
  }

  /** Sets the command and the directory. Returns whether either has changed. */
  describe({ command = this.command, cwd = this.cwd }: StateReport): boolean {
    const isNew = command !== this.command || cwd !== this.cwd;
    Object.assign(this, { command, cwd });
    return isNew;
  }

  /** Adds a tool call. Returns whether it is new. */
  stand(toolCallId: string): boolean {
    if (this.#toolCallIds.has(toolCallId) || this.#toolCallIds.size >= MAX_ANCHORS) return false;
    this.#toolCallIds.add(toolCallId);
    return true;
  }

  bytesOf(data: Uint8Array | string): Uint8Array {
    if (typeof data !== 'string') return data;
    const text = this.#half + data;
    const isCut = /[\uD800-\uDBFF]$/.test(text);
    this.#half = isCut ? text.slice(-1) : '';
    return Buffer.from(isCut ? text.slice(0, -1) : text);
  }

  print(bytes: Uint8Array): void {
    this.#output.add(bytes);
  }

  replace(bytes: Uint8Array): void {
    this.#half = '';
    this.#output = new RetainedOutput(this.#outputBytes);
    this.#output.add(bytes);
  }

  end(exit: TerminalExit): void {
    this.exit = exit;
    this.#output.end();
  }
}

/** Returns an unambiguous key, because agents may use any text as an id. */
export function keyOf(sessionId: string, terminalId: string): string {
  return JSON.stringify([sessionId, terminalId]);
}
