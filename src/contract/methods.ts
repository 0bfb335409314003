/**
 * The table of manager methods: what each one applies to, the schema of its argument, and how it behaves. All
 * implementations of {@link TerminalManager} are generated from it, and so are the requests a host accepts.
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
import { controlTerminal } from './control.js';
import type { ShellPlace } from './command.js';
import type { InputOrder, TerminalManager } from './manager.js';
import { readOutput, screenFormat } from './output.js';
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

export interface Method {
  /** What precedes the argument: nothing, a terminal id, or a terminal id and a command number. */
  readonly of: 'manager' | 'terminal' | 'command';
  /** If absent, the method takes no argument or checks it itself. */
  readonly argument?: z.ZodType;
  /** Changes nothing, so the call can be retried if its answer was lost. */
  readonly isPure?: boolean;
  /** While the terminal is held, only its holder may call it. */
  readonly needsHold?: boolean;
  /** For methods that wait for their argument's `timeoutMs`: its default. */
  readonly waitMs?: number;
}

export const METHODS = {
  create: { of: 'manager', argument: createTerminal.prefault({}) },
  list: { of: 'manager', argument: listTerminals.prefault({}), isPure: true },
  summary: { of: 'manager', isPure: true },
  get: { of: 'terminal', isPure: true },
  update: { of: 'terminal', argument: updateTerminal },
  write: { of: 'terminal', argument: terminalInput, needsHold: true },
  read: { of: 'terminal', argument: readOutput.prefault({}), isPure: true, waitMs: 0 },
  search: { of: 'terminal', argument: searchOutput, isPure: true },
  stats: { of: 'terminal', isPure: true },
  screen: { of: 'terminal', argument: screenFormat.default('text'), isPure: true },
  snapshot: { of: 'terminal', isPure: true },
  subscribe: { of: 'terminal', isPure: true },
  resize: { of: 'terminal', argument: terminalSize, needsHold: true },
  control: { of: 'terminal', argument: controlTerminal },
  signal: { of: 'terminal', argument: sendSignal },
  clear: { of: 'terminal' },
  kill: { of: 'terminal', argument: endTerminal.prefault({}) },
  remove: { of: 'terminal', argument: endTerminal.prefault({}) },
  exec: { of: 'terminal', argument: execCommand, waitMs: DEFAULT_EXEC_TIMEOUT_MS, needsHold: true },
  integrate: {
    of: 'terminal',
    argument: integrateShell.prefault({}),
    waitMs: DEFAULT_INTEGRATE_TIMEOUT_MS,
    needsHold: true,
  },
  wait: { of: 'terminal', argument: waitFor.prefault({}), isPure: true, waitMs: DEFAULT_WAIT_FOR_MS },
  commands: { of: 'terminal', argument: listCommands.prefault({}), isPure: true },
  command: { of: 'command', isPure: true },
  collect: { of: 'command', argument: collectCommand.prefault({}), isPure: true, waitMs: 0 },
  readCommand: { of: 'command', argument: readOutput.prefault({}), isPure: true, waitMs: 0 },
  interrupt: { of: 'command' },
} as const satisfies Partial<Record<keyof TerminalManager, Method>>;

export type MethodName = keyof typeof METHODS;
export const METHOD_NAMES = Object.keys(METHODS) as [MethodName, ...MethodName[]];

/** What follows the argument of any method. */
interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly key?: string | undefined;
  readonly place?: ShellPlace | undefined;
  readonly order?: InputOrder | undefined;
  readonly hold?: string | undefined;
}

/** A method and its arguments as one value, unchecked. */
export interface Call<Name extends MethodName = MethodName> extends CallOptions {
  readonly method: Name;
  readonly id?: string | undefined;
  readonly commandId?: number | undefined;
  readonly argument?: unknown;
}

export type Result<Name extends MethodName> = Awaited<ReturnType<TerminalManager[Name]>>;

type SchemaOf<Name extends MethodName> = (typeof METHODS)[Name] extends { argument: infer Schema extends z.ZodType }
  ? Schema
  : z.ZodUnknown;

/** A call whose argument and command number have been checked. */
export interface CheckedCall<Name extends MethodName> extends CallOptions {
  readonly commandId: number;
  readonly argument: z.output<SchemaOf<Name>>;
}

/** The methods of the table, each of which is turned into a call. */
type Called = Pick<TerminalManager, MethodName>;

abstract class Callable {
  /** Answers a call; see the method of the same name. */
  abstract call(call: Call): Promise<unknown>;
}

for (const method of METHOD_NAMES) {
  const call = function (this: Callable, ...given: readonly unknown[]): Promise<unknown> {
    return this.call(callOf(method, given));
  };
  Object.defineProperty(Callable.prototype, method, { value: call, writable: true, configurable: true });
}

function callOf(method: MethodName, given: readonly unknown[]): Call {
  const { of } = METHODS[method];
  const before = of === 'manager' ? 0 : of === 'terminal' ? 1 : 2;
  const [id, commandId] = given.slice(0, before) as [string?, number?];
  const [argument, options] = given.slice(before) as [unknown, CallOptions?];
  return { ...options, method, id, commandId, argument };
}

/** Base class of a manager whose methods all delegate to `call`. */
export const CalledManager = Callable as abstract new () => Callable & Called;
