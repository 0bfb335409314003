/** What happens while a person talks with an agent: the one thing that is shown, or printed as JSON. Types only. */
import type { TerminalExit } from '../display.js';
import type { RunEnd } from './stop.js';

export interface ToolCall {
  readonly toolCallId: string;
  readonly title: string;
  /** `execute`, `edit` …; as the agent has it. */
  readonly kind: string | null;
  /** `pending`, `in_progress`, `completed`, `failed`; as the agent has it. */
  readonly status: string | null;
  readonly diffs: readonly FileDiff[];
  /** What it has to say, beside files and terminals. */
  readonly texts: readonly string[];
  readonly terminalIds: readonly string[];
  /** What the tool is given, as the agent has it; null if it does not say. More than a person could read is cut, as text. */
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
  /** `allow_once`, `allow_always`, `reject_once`, `reject_always`; as the agent has it. */
  readonly kind: string | null;
}

/** With all that is known of the tool call that is asked about. */
export interface PermissionQuestion extends Partial<ToolCall> {
  readonly toolCallId: string;
  readonly title: string;
  readonly options: readonly PermissionOption[];
  /** What is to be run, where it is the policy that asks. */
  readonly command?: AskedCommand;
}

/** All that a person has to know of it. */
export interface AskedCommand {
  /** Whole; may have several lines. */
  readonly text: string;
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly reason: string;
}

export interface OfTerminal {
  readonly sessionId: string;
  readonly terminalId: string;
}

export type RunEvent =
  /** What may run is held to the policy in this file. */
  | { readonly type: 'policy'; readonly file: string }
  | { readonly type: 'agent'; readonly name: string | null; readonly version: string | null }
  | { readonly type: 'session'; readonly sessionId: string; readonly cwd: string; readonly isLoaded: boolean }
  /** What the person says. */
  | { readonly type: 'prompt'; readonly text: string }
  /** `user` is what the agent says that the person said, in a session taken up again. */
  | { readonly type: 'user' | 'message' | 'thought'; readonly text: string }
  | ({ readonly type: 'tool' } & ToolCall)
  /** The agent works in another way from now on: `plan`, `code` …; as it names it. */
  | { readonly type: 'mode'; readonly modeId: string }
  | { readonly type: 'plan'; readonly entries: readonly PlanEntry[] }
  | ({
      readonly type: 'terminal_started';
      readonly owner: 'client' | 'agent';
      readonly command: string | null;
      readonly cwd: string | null;
    } & OfTerminal)
  /** `isAnew`: it is all there is, in place of what was shown before. */
  | ({ readonly type: 'terminal_output'; readonly data: Uint8Array; readonly isAnew: boolean } & OfTerminal)
  /** Its program waits for input. */
  | ({ readonly type: 'terminal_waits' } & OfTerminal)
  | ({ readonly type: 'terminal_ended' } & TerminalExit & OfTerminal)
  | ({ readonly type: 'question' } & PermissionQuestion)
  /** `option` is null where none was chosen: the question is cancelled. */
  | {
      readonly type: 'answer';
      readonly toolCallId: string;
      readonly option: PermissionOption | null;
      /** Refused because there was nobody to ask. */
      readonly isUnasked: boolean;
    }
  /** A line of the agent's stderr. */
  | { readonly type: 'stderr'; readonly text: string }
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'stop'; readonly reason: string }
  /** The last one. */
  | ({ readonly type: 'end' } & RunEnd);
