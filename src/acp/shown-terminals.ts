/**
 * What a person sees of all terminals of a connection, whoever runs them: ours, of which it is told as a
 * `TerminalDisplay`, and the agent's own, of which it reads in the updates. What has ended or been released stays, as
 * long as there is room. It knows neither the connection nor how terminals are shown, and never throws for what an agent
 * says.
 */
import { z } from 'zod';
import { check } from '../check.js';
import type { ShownTerminal, TerminalDisplay, TerminalExit } from './display.js';
import { RetainedOutput } from './retained-output.js';
import { terminalSayings } from './shown-terminals-dialects.js';
import type { Stated, TerminalSaying } from './shown-terminals-dialects.js';

/** A terminal as it is to be shown now: whoever keeps this sees it go on. */
export interface TerminalView extends ShownTerminal {
  /** Who runs it: this client, by `terminal/*`, or the agent. */
  readonly owner: 'client' | 'agent';
  /** The last of what was printed, as text: escape sequences and all, with plain line ends. */
  readonly output: string;
  /** Whether anything before it is missing. */
  readonly isTruncated: boolean;
  /** Null while it runs. */
  readonly exit: TerminalExit | null;
  /** The tool calls it is to be shown with, in the order they said so. */
  readonly toolCallIds: readonly string[];
}

/**
 * What has just become of a terminal: it is known of (`started`), its command or directory is another one (`described`),
 * it has printed more (`output`, with the bytes as they came), its output is another one altogether (`replaced`), it has
 * `ended`, or is to be shown with one more tool call (`anchored`, which may come before `started`).
 */
export type TerminalChange =
  | { readonly type: 'started' | 'described' | 'replaced' | 'ended'; readonly terminal: TerminalView }
  | { readonly type: 'output'; readonly terminal: TerminalView; readonly data: Uint8Array }
  | { readonly type: 'anchored'; readonly terminal: TerminalView; readonly toolCallId: string };

export interface ShownTerminalsLimits {
  /** Most bytes of output kept for each: a whole number, 0 for none. Default: 256 KiB. */
  readonly outputBytes: number;
  /**
   * Most terminals kept, at least 1: beyond it one that has ended is forgotten, then one that was only ever named, then the
   * oldest. Default: 128.
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
/** A terminal that stands in more places has the others forgotten. */
const MAX_ANCHORS = 64;

/**
 * The terminals of a connection as a person is to see them: give it to `AcpTerminals` as its `display`, for those that
 * this client runs, and the agent's updates to `take` (or the stream to `watchUpdates`), for where they are to stand and
 * for those that the agent runs itself. An id that nobody knows is no error anywhere. What was released can be shown
 * until there is no room: by the limits that hold by default their output takes at most about 100 MiB of memory, and far
 * less where commands print little.
 */
export class ShownTerminals implements TerminalDisplay {
  readonly #limits: ShownTerminalsLimits;
  readonly #onChange: (change: TerminalChange) => void;
  readonly #entries = new Map<string, Entry>();
  /** Those that this client runs, by the id that is theirs alone. */
  readonly #ours = new Map<string, Entry>();

  /**
   * @param onChange - Told of each change, in order. What it throws, whoever told of the change gets: `AcpTerminals` and
   * `watchUpdates` pass it over.
   * @throws `INVALID_INPUT` for a limit that is none.
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

  /** Takes in a `session/update` of an agent, which is `{sessionId, update}`, whatever the update is. */
  take(sessionId: string, update: unknown): void {
    for (const saying of terminalSayings(update)) this.#take(sessionId, saying);
  }

  /** A terminal, as it is named in the content of a tool call. Undefined while nothing is known of it but its name. */
  get(sessionId: string, terminalId: string): TerminalView | undefined {
    const entry = this.#entries.get(keyOf(sessionId, terminalId));
    return entry?.isKnown ? entry : undefined;
  }

  /** All that something is known of, oldest first. */
  list(): TerminalView[] {
    return [...this.#entries.values()].filter(({ isKnown }) => isKnown);
  }

  /** Those of them that are to be shown with a tool call. */
  ofToolCall(sessionId: string, toolCallId: string): TerminalView[] {
    return this.list().filter((shown) => shown.sessionId === sessionId && shown.toolCallIds.includes(toolCallId));
  }

  /** A session is not shown any more: nor are its terminals, whether they have ended or not. */
  forgetSession(sessionId: string): void {
    for (const [key, entry] of this.#entries) if (entry.sessionId === sessionId) this.#forget(key, entry);
  }

  #take(sessionId: string, saying: TerminalSaying): void {
    const entry = this.#entry(sessionId, saying.terminalId);
    if (saying.kind === 'anchored') return this.#anchor(entry, saying.toolCallId);
    // What we run ourselves we know better.
    if (entry.owner === 'client') return;
    if (!entry.isKnown) {
      entry.isKnown = true;
      if (saying.kind === 'stated') entry.describe(saying);
      this.#onChange({ type: 'started', terminal: entry });
    } else if (saying.kind === 'stated' && entry.describe(saying)) {
      this.#onChange({ type: 'described', terminal: entry });
    }
    if (saying.kind === 'printed') this.#print(entry, entry.bytesOf(saying.data));
    else this.#state(entry, saying);
  }

  #anchor(entry: Entry, toolCallId: string): void {
    if (!entry.stand(toolCallId)) return;
    this.#onChange({ type: 'anchored', terminal: entry, toolCallId });
  }

  #print(entry: Entry, data: Uint8Array): void {
    if (data.length === 0) return;
    entry.print(data);
    this.#onChange({ type: 'output', terminal: entry, data });
  }

  #state(entry: Entry, { output, exit }: Stated): void {
    if (output !== undefined) this.#replace(entry, output ?? new Uint8Array());
    if (exit === null) entry.exit = null;
    else if (exit !== undefined) this.#end(entry, exit);
  }

  /** Told as mere output where that is what it comes to: more behind what there was. */
  #replace(entry: Entry, output: Uint8Array): void {
    const before = { output: entry.output, isTruncated: entry.isTruncated };
    entry.replace(output);
    if (!before.isTruncated && !entry.isTruncated && entry.output.startsWith(before.output)) {
      const data = Buffer.from(entry.output.slice(before.output.length));
      if (data.length > 0) this.#onChange({ type: 'output', terminal: entry, data });
    } else {
      this.#onChange({ type: 'replaced', terminal: entry });
    }
  }

  #end(entry: Entry, exit: TerminalExit): void {
    const isNew = entry.exit === null;
    entry.end(exit);
    if (isNew) this.#onChange({ type: 'ended', terminal: entry });
  }

  #entry(sessionId: string, terminalId: string): Entry {
    const key = keyOf(sessionId, terminalId);
    const known = this.#entries.get(key);
    if (known) return known;
    if (this.#entries.size >= this.#limits.terminals) this.#forgetOne();
    const entry = new Entry(sessionId, terminalId, this.#limits.outputBytes);
    this.#entries.set(key, entry);
    return entry;
  }

  #forgetOne(): void {
    const all = [...this.#entries];
    const [key, entry] =
      all.find(([, { exit }]) => exit !== null) ?? all.find(([, { isKnown }]) => !isKnown) ?? all[0]!;
    this.#forget(key, entry);
  }

  #forget(key: string, entry: Entry): void {
    this.#entries.delete(key);
    if (entry.owner === 'client') this.#ours.delete(entry.terminalId);
  }
}

class Entry implements TerminalView {
  readonly #outputBytes: number;
  readonly #toolCallIds = new Set<string>();
  #output: RetainedOutput;
  /** The first half of a pair of surrogates, whose second may come next. */
  #half = '';
  /** Whether it is more than a name that somebody mentioned. */
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

  /** Answers whether anything is different now. */
  describe({ command = this.command, cwd = this.cwd }: Stated): boolean {
    const isNew = command !== this.command || cwd !== this.cwd;
    Object.assign(this, { command, cwd });
    return isNew;
  }

  /** Answers whether that is new. */
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

/** Ids are whatever an agent likes: no two pairs may come to the same. */
function keyOf(sessionId: string, terminalId: string): string {
  return JSON.stringify([sessionId, terminalId]);
}
