/** One call of the tool, as an action is given it. Types only. */
import type { Answer } from './answer.js';
import type { Arguments } from './arguments.js';
import type { Caller } from './progress.js';
import type { Workspace } from './workspace.js';

export interface Call {
  readonly workspace: Workspace;
  readonly args: Arguments;
  readonly caller: Caller;
}

/** @throws {TerminalError} for what cannot be done; the tool tells it. */
export type ActionHandler = (call: Call) => Promise<Answer>;
