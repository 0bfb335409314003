/**
 * Where the calls of one namespace work: its numbered terminals, and what is remembered of them from one call to the
 * next. All of it is found anew, or done without, by another process in the same namespace. It knows no action and no
 * transport.
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

/** A call that cannot tell how it goes is answered after this time: many clients give up after a minute. */
const YIELD_MS = 50_000;
/** Any other call is answered after this time: there are clients that give up after five minutes, whatever they are told. */
const ANSWER_MS = 280_000;
/** Wider than what a person has, so that programs break fewer lines. */
const SIZE = { cols: 120, rows: 40 } as const;
/** Nobody is there to leaf through pages. */
const ENVIRONMENT = { PAGER: 'cat', GIT_PAGER: 'cat' } as const;
/** Terminals of which something is remembered. */
const MAX_REMEMBERED = 1000;

export interface WorkspaceOptions {
  /** Whose numbers these are. Default: a new namespace that nobody else has. */
  readonly namespace?: string | undefined;
  /** What new terminals are to be like, beside the size and environment that suit agents. */
  readonly creation?: CreateTerminal;
  /** How long a call may take whose caller cannot be told how it goes, in milliseconds. Default: 50 seconds. */
  readonly yieldMs?: number;
  /** How long any other call may take, in milliseconds. Default: 280 seconds. */
  readonly answerMs?: number;
  /** What becomes of terminals whose client has gone. */
  readonly presence?: PresenceOptions;
  /** Flags by which a person's shell finds these terminals, as ` --data-dir=/srv/x`. Default: none are needed. */
  readonly placeFlags?: string;
}

/** The terminal that a call is about. */
export interface Target {
  readonly id: string;
  /** Null for a terminal that has none in this namespace. */
  readonly number: number | null;
  /** What is to stand behind a command by which a person is to reach it. */
  readonly placeFlags: string;
}

/** What is remembered of a terminal. */
export interface Memory {
  /** The command with which the buffer begins. */
  bufferFrom?: number | undefined;
  /** How far the output of a command was shown. */
  seen?: { readonly commandId: number; readonly cursor: string; readonly line: number };
  /** The last command whose end was told. */
  endTold?: number;
  /** Where the last wait ended, in the output of the terminal. */
  waitedTo?: number;
  /** Who was last seen to wait for input, and how much the terminal had printed then. */
  waits?: { readonly commandId: number; readonly state: CommandState; readonly by: InputWait; readonly at: number };
  /** How much the terminal had printed when a password was last seen asked for. */
  passwordAt?: number;
}

export class Workspace {
  readonly manager: TerminalManager;
  readonly numbers: Numbers;
  /** Of the clients of this namespace. */
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
   * The terminal that a call names by `id`, which may be its name, else by `terminal`.
   *
   * @throws `TERMINAL_NOT_FOUND`.
   */
  async target({ id, terminal: number = 0 }: Arguments): Promise<Target> {
    if (id !== undefined) return this.targetOf(id);
    const found = await this.numbers.find(number);
    if (found !== undefined) return this.numbered(found.id, number);
    const numbers = [...(await this.numbers.all()).keys()];
    const known = numbers.length === 0 ? 'You have none yet' : `You have ${numbers.join(', ')}`;
    throw new Advice('TERMINAL_NOT_FOUND', `There is no terminal ${number}.`, `${known}; EXEC makes one.`);
  }

  async targetOf(idOrName: string): Promise<Target> {
    const detail = await this.manager.get(idOrName);
    return this.numbered(detail.id, this.numbers.numberOf(detail));
  }

  numbered(id: string, number: number | null): Target {
    return { id, number, placeFlags: this.#placeFlags };
  }

  /** What is remembered of a terminal, to be changed in place. */
  memory(id: string): Memory {
    return this.#memories.get(id, () => ({}));
  }
}

/** How an answer names a terminal, and a call: by its number here, else by its id. */
export function nameOf({ id, number }: Pick<Target, 'id' | 'number'>): { terminal: number } | { id: string } {
  return number === null ? { id } : { terminal: number };
}
