/** Defines what an action receives for one call of the tool. Types only. */
import type { ToolAnswer } from './answer.js';
import type { Arguments } from './arguments.js';
import type { Caller } from './progress.js';
import type { Workspace } from './workspace.js';

export interface ActionCall {
  readonly workspace: Workspace;
  readonly args: Arguments;
  readonly caller: Caller;
}

/** Handles one call. @throws {TerminalError} If the action cannot be carried out; the tool then reports the error. */
export type ActionHandler = (call: ActionCall) => Promise<ToolAnswer>;
