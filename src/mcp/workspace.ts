/**
 * The state of one namespace: its numbered terminals, and what is remembered about them between calls. Another process
 * in the same namespace can recover all of it or work without it. Does not depend on actions or transports.
 */
import { randomUUID } from 'node:crypto';
import type { CommandState, InputWait } from '../contract/command.js';
import type { TerminalManager } from '../contract/manager.js';
import type { CreateTerminal } from '../contract/terminal.js';
import { Advice } from './advice.js';
import type { Arguments } from './arguments.js';
import { Numbers } from './numbers.js';
import { Presence } from './presence.js';
import type { PresenceOptions } from './presence.js';
import { Remembered } from './remembered.js';

/** A call without progress reports is answered after this time: many clients time out after a minute. */
const YIELD_MS = 50_000;
/**
 * A call with progress reports is answered after this time: some clients time out after five minutes, even with
 * progress reports.
 */
const ANSWER_MS = 280_000;
/** Wider than a person's usual terminal, so that programs wrap fewer lines. */
const SIZE = { cols: 120, rows: 40 } as const;
/** A pager would wait for a person. */
const ENVIRONMENT = { PAGER: 'cat', GIT_PAGER: 'cat' } as const;
/** Maximum number of terminals about which something is remembered. */
const MAX_REMEMBERED = 1000;

export interface WorkspaceOptions {
  /** The namespace of the numbers. Default: a new, private namespace. */
  readonly namespace?: string | undefined;
  /** Options of new terminals, in addition to a size and environment that suit agents. */
  readonly creation?: CreateTerminal;
  /** Maximum duration of a call without progress reports, in milliseconds. Default: 50 seconds. */
  readonly yieldMs?: number;
  /** Maximum duration of a call with progress reports, in milliseconds. Default: 280 seconds. */
  readonly answerMs?: number;
  /** What to do with terminals whose client has gone. */
  readonly presence?: PresenceOptions;
  /**
   * Flags with which a person's shell finds these terminals, such as ` --data-dir=/srv/x`. Default: none are needed.
   */
  readonly placeFlags?: string;
}

/** The terminal that a call refers to. */
export interface Target {
  readonly id: string;
  /** Null for a terminal without a number in this namespace. */
  readonly number: number | null;
  /** Flags to append to a command with which a person reaches it. */
  readonly placeFlags: string;
}

/** What is remembered about a terminal. */
export interface Memory {
  /** The command at which the buffer starts. */
  bufferFrom?: number | undefined;
  /** How far the output of a command was shown. */
  seen?: { readonly commandId: number; readonly cursor: string; readonly line: number };
  /** The last command whose end was reported. */
  endTold?: number;
  /** The offset in the terminal's output at which the last wait ended. */
  waitedTo?: number;
  /** The program that was last seen to wait for input, and how much the terminal had printed by then. */
  waits?: { readonly commandId: number; readonly state: CommandState; readonly by: InputWait; readonly at: number };
  /** How much the terminal had printed when a password prompt was last seen. */
  passwordAt?: number;
}

export class Workspace {
  readonly manager: TerminalManager;
  readonly numbers: Numbers;
  /** Presence of the clients of this namespace. */
  readonly presence: Presence;
  readonly yieldMs: number;
  readonly answerMs: number;
  readonly #placeFlags: string;
  readonly #memories = new Remembered<Memory>(MAX_REMEMBERED);

  constructor(manager: TerminalManager, options: WorkspaceOptions = {}) {
    const { namespace, creation, yieldMs = YIELD_MS, answerMs = ANSWER_MS } = options;
    this.manager = manager;
    const env = { ...ENVIRONMENT, ...creation?.env };
    const created = () => ({ ...SIZE, ...creation, ...this.presence.creation, env });
    this.numbers = new Numbers(manager, namespace ?? randomUUID(), created);
    this.presence = new Presence(manager, () => this.numbers.activeIds(), options.presence);
    this.#placeFlags = options.placeFlags ?? '';
    this.yieldMs = yieldMs;
    this.answerMs = answerMs;
  }

  /**
   * Returns the terminal given by `id`, which may be its name, otherwise by `terminal`.
   *
   * @throws `TERMINAL_NOT_FOUND`.
   */
  async target({ id, terminal: number = 0 }: Arguments): Promise<Target> {
    if (id !== undefined) return this.targetOf(id);
    const found = await this.numbers.find(number);
    if (found !== undefined) return this.numbered(found.id, number);
    const numbers = [...(await this.numbers.all()).keys()];
    const known = numbers.length === 0 ? 'You have no terminals yet' : `Your terminals: ${numbers.join(', ')}`;
    throw new Advice('TERMINAL_NOT_FOUND', `There is no terminal ${number}.`, `${known}. EXEC creates one.`);
  }

  async targetOf(idOrName: string): Promise<Target> {
    const detail = await this.manager.get(idOrName);
    return this.numbered(detail.id, this.numbers.numberOf(detail));
  }

  numbered(id: string, number: number | null): Target {
    return { id, number, placeFlags: this.#placeFlags };
  }

  /** Returns what is remembered about a terminal; the caller may change it in place. */
  memory(id: string): Memory {
    return this.#memories.get(id, () => ({}));
  }
}

/** Returns how answers and calls identify a terminal: by its number in this namespace, otherwise by its id. */
export function nameOf({ id, number }: Pick<Target, 'id' | 'number'>): { terminal: number } | { id: string } {
  return number === null ? { id } : { terminal: number };
}
