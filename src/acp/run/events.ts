/** Defines the events of a conversation with an agent, which are displayed or printed as JSON. Types only. */
import type { TerminalExit } from '../display.js';
import type { RunEnd } from './stop.js';

export interface ToolCall {
  readonly toolCallId: string;
  readonly title: string;
  /** `execute`, `edit` …; as the agent sends it. */
  readonly kind: string | null;
  /** `pending`, `in_progress`, `completed`, `failed`; as the agent sends it. */
  readonly status: string | null;
  readonly diffs: readonly FileDiff[];
  /** Text content, apart from files and terminals. */
  readonly texts: readonly string[];
  readonly terminalIds: readonly string[];
  /**
   * The tool's input, as the agent sends it; null if missing. Input longer than a person could read is replaced with
   * shortened text.
   */
  readonly rawInput: unknown;
  readonly locations: readonly FileLocation[];
}

export interface FileLocation {
  readonly path: string;
  /** From 1; null for none. */
  readonly line: number | null;
}

export interface FileDiff {
  readonly path: string;
  /** Null for a new file. */
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
  /** `allow_once`, `allow_always`, `reject_once`, `reject_always`; as the agent sends it. */
  readonly kind: string | null;
}

/** Includes everything known of the tool call in question. */
export interface PermissionQuestion extends Partial<ToolCall> {
  readonly toolCallId: string;
  readonly title: string;
  readonly options: readonly PermissionOption[];
  /** The command to run, if the policy requires approval. */
  readonly command?: CommandQuestion;
}

/** Everything that a person needs to know about the command. */
export interface CommandQuestion {
  /** Complete; may have several lines. */
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
  /** `user` is a message of the person that the agent replays when a session is resumed. */
  | { readonly type: 'user' | 'message' | 'thought'; readonly text: string }
  | ({ readonly type: 'tool' } & ToolCall)
  /** The agent has switched its mode: `plan`, `code` …; as it names it. */
  | { readonly type: 'mode'; readonly modeId: string }
  | { readonly type: 'plan'; readonly entries: readonly PlanEntry[] }
  | ({
      readonly type: 'terminal_started';
      readonly owner: 'client' | 'agent';
      readonly command: string | null;
      readonly cwd: string | null;
    } & TerminalEventFields)
  /** `isAnew`: the data replaces all earlier output. */
  | ({ readonly type: 'terminal_output'; readonly data: Uint8Array; readonly isAnew: boolean } & TerminalEventFields)
  /** The program is waiting for input. */
  | ({ readonly type: 'terminal_waits' } & TerminalEventFields)
  | ({ readonly type: 'terminal_ended' } & TerminalExit & TerminalEventFields)
  | ({ readonly type: 'question' } & PermissionQuestion)
  /** `option` is null if none was chosen because the question was cancelled. */
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
  /** The last event. */
  | ({ readonly type: 'end' } & RunEnd);
