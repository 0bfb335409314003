/**
 * Holds the state of one namespace: its numbered terminals, and what is remembered about them between calls. Another
 * process in the same namespace can recover all of this or work without it.
 */
import { randomUUID } from 'node:crypto';
import { permitted } from '../access/permitted-manager.js';
import type { Principal } from '../access/principal.js';
import { callerOf } from '../contract/caller.js';
import type { CommandState, InputWait } from '../contract/command.js';
import type { TerminalManager } from '../contract/manager.js';
import type { CreateTerminal } from '../contract/terminal.js';
import { AdvisedError } from './advised-error.js';
import type { Arguments } from './arguments.js';
import { TerminalNumbers } from './terminal-numbers.js';
import { Presence } from './presence.js';
import type { PresenceOptions } from './presence.js';
import { LruMap } from '../lru-map.js';

/** Maximum duration of a call without progress reports, because many clients time out after a minute. */
const YIELD_MS = 50_000;
/** Maximum duration of a call with progress reports, because some clients time out after five minutes even then. */
const ANSWER_MS = 280_000;
/** Wider than a person's usual terminal, so that programs wrap fewer lines. */
const SIZE = { cols: 120, rows: 40 } as const;
/** Disables pagers, which would wait for a person. */
const ENVIRONMENT = { PAGER: 'cat', GIT_PAGER: 'cat' } as const;
/** Maximum number of terminals about which something is remembered. */
const MAX_REMEMBERED = 1000;

export interface WorkspaceOptions {
  /** The namespace of the numbers. Default: a new, private namespace. */
  readonly namespace?: string | undefined;
  /** Options for new terminals, in addition to a size and environment that suit agents. */
  readonly creation?: CreateTerminal;
  /** Maximum duration of a call without progress reports, in milliseconds. Default: 50 seconds. */
  readonly yieldMs?: number;
  /** Maximum duration of a call with progress reports, in milliseconds. Default: 280 seconds. */
  readonly answerMs?: number;
  /** What to do with the terminals of a client that has disconnected. */
  readonly presence?: PresenceOptions;
  /**
   * Flags that a command in a person's shell needs to find these terminals, such as ` --data-dir=/srv/x`. Default:
   * none.
   */
  readonly placeFlags?: string;
}

/** The terminal that a call refers to. */
export interface TargetTerminal {
  readonly id: string;
  /** The terminal's number, or null if it has none in this namespace. */
  readonly number: number | null;
  /** Flags to append to a command line that a person uses to reach the terminal. */
  readonly placeFlags: string;
}

/** What is remembered about a terminal between calls. */
export interface TerminalMemory {
  /** Number of the command where the buffer starts. */
  bufferFrom?: number | undefined;
  /** How much of a command's output has been shown. */
  seen?: { readonly commandId: number; readonly cursor: string; readonly line: number };
  /** The last command whose end has been reported. */
  endReported?: number;
  /** The offset in the terminal's output where the last wait ended. */
  waitedTo?: number;
  /** The program that was last seen waiting for input, and how much the terminal had printed by then. */
  waits?: { readonly commandId: number; readonly state: CommandState; readonly by: InputWait; readonly at: number };
  /** How much the terminal had printed when a password prompt was last seen. */
  passwordAt?: number;
}

export class Workspace {
  readonly manager: TerminalManager;
  readonly #options: WorkspaceOptions;
  readonly numbers: TerminalNumbers;
  /** Tracks whether clients of this namespace are connected. */
  readonly presence: Presence;
  readonly yieldMs: number;
  readonly answerMs: number;
  readonly #memories: LruMap<TerminalMemory>;

  /** @param shared - The workspace whose state this one shares, for another caller. */
  constructor(manager: TerminalManager, options: WorkspaceOptions = {}, shared?: Workspace) {
    const { namespace, creation, yieldMs = YIELD_MS, answerMs = ANSWER_MS } = options;
    this.manager = manager;
    this.#options = options;
    const env = { ...ENVIRONMENT, ...creation?.env };
    const created = () => ({ ...SIZE, ...creation, ...this.presence.creation, env });
    this.numbers = shared?.numbers ?? new TerminalNumbers(manager, namespace ?? randomUUID(), created);
    this.presence = shared?.presence ?? new Presence(manager, () => this.numbers.activeIds(), options.presence);
    this.#memories = shared === undefined ? new LruMap(MAX_REMEMBERED) : shared.#memories;
    this.yieldMs = yieldMs;
    this.answerMs = answerMs;
  }

  /**
   * Returns this workspace for a caller. Its manager allows only what the caller's role allows.
   *
   * @param clientName - The name that the client states for itself. Default: the name of the principal.
   */
  as({ role, name }: Principal, clientName?: string): Workspace {
    const manager = permitted(this.manager, { role, by: callerOf('mcp', clientName, name) });
    return new Workspace(manager, this.#options, this);
  }

  /**
   * Returns the terminal that `id` (an id or a name) identifies or, without `id`, the one with the number `terminal`.
   *
   * @throws `TERMINAL_NOT_FOUND` if there is no such terminal.
   */
  async target({ id, terminal: number = 0 }: Arguments): Promise<TargetTerminal> {
    if (id !== undefined) return this.targetOf(id);
    const found = await this.numbers.find(number);
    if (found !== undefined) return this.numbered(found.id, number);
    const numbers = [...(await this.numbers.all()).keys()];
    const known = numbers.length === 0 ? 'You have no terminals yet' : `Your terminals: ${numbers.join(', ')}`;
    throw new AdvisedError('TERMINAL_NOT_FOUND', `There is no terminal ${number}.`, `${known}. EXEC creates one.`);
  }

  async targetOf(idOrName: string): Promise<TargetTerminal> {
    const detail = await this.manager.get(idOrName);
    return this.numbered(detail.id, this.numbers.numberOf(detail));
  }

  numbered(id: string, number: number | null): TargetTerminal {
    return { id, number, placeFlags: this.#options.placeFlags ?? '' };
  }

  /** Returns what is remembered about a terminal. The caller can change it in place. */
  memory(id: string): TerminalMemory {
    return this.#memories.get(id, () => ({}));
  }
}

/** Returns how results and calls identify a terminal: by its number in this namespace or, if it has none, by its id. */
export function nameOf({ id, number }: Pick<TargetTerminal, 'id' | 'number'>): { terminal: number } | { id: string } {
  return number === null ? { id } : { terminal: number };
}
