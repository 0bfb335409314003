/** Defines the events of a conversation with an agent, which are displayed or printed as JSON. Pure. */
import type { TerminalExit } from '../display.js';
import type { TerminalChange } from '../shown-terminals.js';
import type { RunEnd } from './stop.js';

export interface ToolCall {
  readonly toolCallId: string;
  readonly title: string;
  /** `execute`, `edit` …, exactly as the agent sends it. */
  readonly kind: string | null;
  /** `pending`, `in_progress`, `completed` or `failed`, exactly as the agent sends it. */
  readonly status: string | null;
  readonly diffs: readonly FileDiff[];
  /** Text content other than that of files and terminals. */
  readonly texts: readonly string[];
  readonly terminalIds: readonly string[];
  /**
   * The tool's input exactly as the agent sends it, or null if it is missing. Input that is longer than a person could
   * read is replaced with shortened text.
   */
  readonly rawInput: unknown;
  readonly locations: readonly FileLocation[];
}

export interface FileLocation {
  readonly path: string;
  /** Counted from 1; null if there is none. */
  readonly line: number | null;
}

export interface FileDiff {
  readonly path: string;
  /** Null if the file is new. */
  readonly oldText: string | null;
  readonly newText: string;
}

export interface PlanEntry {
  readonly content: string;
  readonly status: string | null;
}

export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  /** `allow_once`, `allow_always`, `reject_once` or `reject_always`, exactly as the agent sends it. */
  readonly kind: string | null;
}

/** Includes everything known about the tool call in question. */
export interface PermissionQuestion extends Partial<ToolCall> {
  readonly toolCallId: string;
  readonly title: string;
  readonly options: readonly PermissionOption[];
  /** The command to run, if the policy requires approval. */
  readonly command?: CommandQuestion;
}

/** Everything that a person needs to know about a command to decide whether it may run. */
export interface CommandQuestion {
  /** The complete text, which may have several lines. */
  readonly text: string;
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly reason: string;
}

export interface TerminalEventFields {
  readonly sessionId: string;
  readonly terminalId: string;
}

export type RunEvent =
  /** The policy file that commands are checked against. */
  | { readonly type: 'policy'; readonly file: string }
  | { readonly type: 'agent'; readonly name: string | null; readonly version: string | null }
  | { readonly type: 'session'; readonly sessionId: string; readonly cwd: string; readonly isLoaded: boolean }
  /** The person's prompt. */
  | { readonly type: 'prompt'; readonly text: string }
  /** `user` is a message from the person that the agent replays when a session is resumed. */
  | { readonly type: 'user' | 'message' | 'thought'; readonly text: string }
  | ({ readonly type: 'tool' } & ToolCall)
  /** The agent has switched its mode, which has the agent's own name for it: `plan`, `code` … */
  | { readonly type: 'mode'; readonly modeId: string }
  | { readonly type: 'plan'; readonly entries: readonly PlanEntry[] }
  | ({
      readonly type: 'terminal_started';
      readonly owner: 'client' | 'agent';
      readonly command: string | null;
      readonly cwd: string | null;
    } & TerminalEventFields)
  /** If `isAnew` is true, the data replaces all earlier output. */
  | ({ readonly type: 'terminal_output'; readonly data: Uint8Array; readonly isAnew: boolean } & TerminalEventFields)
  /** The program is waiting for input. */
  | ({ readonly type: 'terminal_waits' } & TerminalEventFields)
  | ({ readonly type: 'terminal_ended' } & TerminalExit & TerminalEventFields)
  | ({ readonly type: 'question' } & PermissionQuestion)
  /** `option` is null if none was chosen, because the question was cancelled. */
  | {
      readonly type: 'answer';
      readonly toolCallId: string;
      readonly option: PermissionOption | null;
      /** Whether the request was refused because there was no person to ask. */
      readonly isUnasked: boolean;
    }
  /** A line of the agent's stderr. */
  | { readonly type: 'stderr'; readonly text: string }
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'stop'; readonly reason: string }
  /** Always the last event. */
  | ({ readonly type: 'end' } & RunEnd);

/** Returns the event for a change of a terminal, or null if the change is not reported. */
export function terminalEvent(change: TerminalChange): RunEvent | null {
  const { sessionId, terminalId, owner, command, cwd, exit } = change.terminal;
  const id = { sessionId, terminalId };
  if (change.type === 'started') return { type: 'terminal_started', ...id, owner, command, cwd };
  if (change.type === 'output') return { type: 'terminal_output', ...id, data: change.data, isAnew: false };
  if (change.type === 'replaced') {
    return { type: 'terminal_output', ...id, data: Buffer.from(change.terminal.output), isAnew: true };
  }
  return change.type === 'ended' && exit !== null ? { type: 'terminal_ended', ...id, ...exit } : null;
}
