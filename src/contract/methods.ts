/**
 * Defines the table of manager methods: what each one applies to, the schema of its argument, and how it behaves. All
 * implementations of {@link TerminalManager} are based on it, and so are the requests that a host accepts.
 */
import type { z } from 'zod';
import {
  collectCommand,
  DEFAULT_EXEC_TIMEOUT_MS,
  DEFAULT_INTEGRATE_TIMEOUT_MS,
  DEFAULT_WAIT_FOR_MS,
  execCommand,
  integrateShell,
  listCommands,
  waitFor,
} from './command.js';
import type { Caller } from './caller.js';
import { controlTerminal, drawnOffset } from './control.js';
import type { ShellSnapshot } from './command.js';
import type { InputOrder, TerminalManager } from './manager.js';
import { readOutput, screenFormat } from './output.js';
import { listOverview } from './overview.js';
import type { Viewer } from './presence.js';
import { searchOutput } from './search.js';
import {
  createTerminal,
  endTerminal,
  listTerminals,
  sendSignal,
  terminalInput,
  terminalSize,
  updateTerminal,
} from './terminal.js';
import { readTrack } from './recording.js';
import { answerQuestion } from './waiting.js';
import { watchTerminals } from './watch.js';

/**
 * The permission that a call requires. `view`: change nothing, so that the call can be retried if its response is lost.
 * `control`: type, run commands, resize, send signals. `manage`: create, change, clear and end terminals.
 */
export type Action = 'view' | 'control' | 'manage';

export interface ManagerMethod {
  /** What precedes the argument: nothing, a terminal id, or a terminal id and a command number. */
  readonly of: 'manager' | 'terminal' | 'command';
  /** If absent, the method takes no argument or checks it itself. */
  readonly argument?: z.ZodType;
  readonly action: Action;
  /** Whether only the holder may call it while the terminal is held. */
  readonly needsHold?: boolean;
  /** For methods that wait for as long as their argument's `timeoutMs`: its default. */
  readonly waitMs?: number;
  /** Whether it returns a stream of events instead of plain data. */
  readonly isStream?: boolean;
}

export const METHODS = {
  create: { of: 'manager', action: 'manage', argument: createTerminal.prefault({}) },
  list: { of: 'manager', action: 'view', argument: listTerminals.prefault({}) },
  summary: { of: 'manager', action: 'view' },
  get: { of: 'terminal', action: 'view' },
  update: { of: 'terminal', action: 'manage', argument: updateTerminal },
  // Also needs the hold, except for a repetition, which types nothing; the method therefore checks this itself.
  write: { of: 'terminal', action: 'control', argument: terminalInput },
  read: { of: 'terminal', action: 'view', argument: readOutput.prefault({}), waitMs: 0 },
  search: { of: 'terminal', action: 'view', argument: searchOutput },
  stats: { of: 'terminal', action: 'view' },
  track: { of: 'terminal', action: 'view', argument: readTrack.prefault({}) },
  screen: { of: 'terminal', action: 'view', argument: screenFormat.default('text') },
  snapshot: { of: 'terminal', action: 'view' },
  subscribe: { of: 'terminal', action: 'view', isStream: true },
  resize: { of: 'terminal', action: 'control', argument: terminalSize, needsHold: true },
  control: { of: 'terminal', action: 'control', argument: controlTerminal },
  drawn: { of: 'terminal', action: 'control', argument: drawnOffset, needsHold: true },
  signal: { of: 'terminal', action: 'control', argument: sendSignal },
  clear: { of: 'terminal', action: 'manage' },
  kill: { of: 'terminal', action: 'manage', argument: endTerminal.prefault({}) },
  remove: { of: 'terminal', action: 'manage', argument: endTerminal.prefault({}) },
  exec: { of: 'terminal', action: 'control', argument: execCommand, waitMs: DEFAULT_EXEC_TIMEOUT_MS, needsHold: true },
  integrate: {
    of: 'terminal',
    action: 'control',
    argument: integrateShell.prefault({}),
    waitMs: DEFAULT_INTEGRATE_TIMEOUT_MS,
    needsHold: true,
  },
  wait: { of: 'terminal', action: 'view', argument: waitFor.prefault({}), waitMs: DEFAULT_WAIT_FOR_MS },
  commands: { of: 'terminal', action: 'view', argument: listCommands.prefault({}) },
  command: { of: 'command', action: 'view' },
  collect: { of: 'command', action: 'view', argument: collectCommand.prefault({}), waitMs: 0 },
  readCommand: { of: 'command', action: 'view', argument: readOutput.prefault({}), waitMs: 0 },
  interrupt: { of: 'command', action: 'control' },
  answer: { of: 'terminal', action: 'control', argument: answerQuestion },
  watch: { of: 'manager', action: 'view', argument: watchTerminals.prefault({}), isStream: true },
  overview: { of: 'manager', action: 'view', argument: listOverview.prefault({}) },
} as const satisfies Partial<Record<keyof TerminalManager, ManagerMethod>>;

export type MethodName = keyof typeof METHODS;
export const METHOD_NAMES = Object.keys(METHODS) as [MethodName, ...MethodName[]];

/** The options that follow the argument of any method. */
interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly key?: string | undefined;
  readonly place?: ShellSnapshot | undefined;
  readonly order?: InputOrder | undefined;
  readonly hold?: string | undefined;
  readonly by?: Caller | undefined;
  readonly viewer?: Viewer | undefined;
}

/** A method and its arguments as one value, unchecked. */
export interface MethodCall<Name extends MethodName = MethodName> extends CallOptions {
  readonly method: Name;
  readonly id?: string | undefined;
  readonly commandId?: number | undefined;
  readonly argument?: unknown;
}

export type MethodResult<Name extends MethodName> = Awaited<ReturnType<TerminalManager[Name]>>;

type SchemaOf<Name extends MethodName> = (typeof METHODS)[Name] extends { argument: infer Schema extends z.ZodType }
  ? Schema
  : z.ZodUnknown;

/** A call whose argument and command number have been checked. */
export interface CheckedCall<Name extends MethodName> extends CallOptions {
  readonly commandId: number;
  readonly argument: z.output<SchemaOf<Name>>;
}

/** The methods of the table; each becomes a call. */
type TypedMethods = Pick<TerminalManager, MethodName>;

abstract class CallDispatcher {
  /** Executes a call; see the method of the same name. */
  abstract call(call: MethodCall): Promise<unknown>;
}

for (const method of METHOD_NAMES) {
  const call = function (this: CallDispatcher, ...given: readonly unknown[]): Promise<unknown> {
    return this.call(callOf(method, given));
  };
  Object.defineProperty(CallDispatcher.prototype, method, { value: call, writable: true, configurable: true });
}

function callOf(method: MethodName, given: readonly unknown[]): MethodCall {
  const { of } = METHODS[method];
  const before = of === 'manager' ? 0 : of === 'terminal' ? 1 : 2;
  const [id, commandId] = given.slice(0, before) as [string?, number?];
  const [argument, options] = given.slice(before) as [unknown, CallOptions?];
  return { ...options, method, id, commandId, argument };
}

/** Base class of a manager whose methods all delegate to `call`. */
export const CallDispatchingManager = CallDispatcher as abstract new () => CallDispatcher & TypedMethods;
