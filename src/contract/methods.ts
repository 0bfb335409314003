/**
 * What a manager can be asked, method by method: what it is asked of, the schema of its argument, and how it behaves. All
 * bodies of {@link TerminalManager} are made from it, and so is what a host answers.
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
import type { ShellPlace } from './command.js';
import type { TerminalManager } from './manager.js';
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
  /** Comes before the argument: nothing, the id of a terminal, or that and the number of a command. */
  readonly of: 'manager' | 'terminal' | 'command';
  /** Left out: it takes none, or checks it itself. */
  readonly argument?: z.ZodType;
  /** Changes nothing, so that it may be asked again where the answer was lost. */
  readonly isPure?: boolean;
  /** Waits as long as its argument's `timeoutMs` says: the default of that. */
  readonly waitMs?: number;
}

export const METHODS = {
  create: { of: 'manager', argument: createTerminal.prefault({}) },
  list: { of: 'manager', argument: listTerminals.prefault({}), isPure: true },
  summary: { of: 'manager', isPure: true },
  get: { of: 'terminal', isPure: true },
  update: { of: 'terminal', argument: updateTerminal },
  write: { of: 'terminal', argument: terminalInput },
  read: { of: 'terminal', argument: readOutput.prefault({}), isPure: true, waitMs: 0 },
  search: { of: 'terminal', argument: searchOutput, isPure: true },
  stats: { of: 'terminal', isPure: true },
  screen: { of: 'terminal', argument: screenFormat.default('text'), isPure: true },
  snapshot: { of: 'terminal', isPure: true },
  subscribe: { of: 'terminal', isPure: true },
  resize: { of: 'terminal', argument: terminalSize },
  signal: { of: 'terminal', argument: sendSignal },
  clear: { of: 'terminal' },
  kill: { of: 'terminal', argument: endTerminal.prefault({}) },
  remove: { of: 'terminal', argument: endTerminal.prefault({}) },
  exec: { of: 'terminal', argument: execCommand, waitMs: DEFAULT_EXEC_TIMEOUT_MS },
  integrate: { of: 'terminal', argument: integrateShell.prefault({}), waitMs: DEFAULT_INTEGRATE_TIMEOUT_MS },
  wait: { of: 'terminal', argument: waitFor.prefault({}), isPure: true, waitMs: DEFAULT_WAIT_FOR_MS },
  commands: { of: 'terminal', argument: listCommands.prefault({}), isPure: true },
  command: { of: 'command', isPure: true },
  collect: { of: 'command', argument: collectCommand.prefault({}), isPure: true, waitMs: 0 },
  readCommand: { of: 'command', argument: readOutput.prefault({}), isPure: true, waitMs: 0 },
  interrupt: { of: 'command' },
} as const satisfies Partial<Record<keyof TerminalManager, Method>>;

export type MethodName = keyof typeof METHODS;
export const METHOD_NAMES = Object.keys(METHODS) as [MethodName, ...MethodName[]];

/** What comes behind the argument, whatever the method. */
interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly key?: string | undefined;
  readonly place?: ShellPlace | undefined;
}

/** A method and what it was called with, as one value; nothing of it is checked. */
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

/** A call whose argument and number are checked. */
export interface CheckedCall<Name extends MethodName> extends CallOptions {
  readonly commandId: number;
  readonly argument: z.output<SchemaOf<Name>>;
}

/** The methods of the table, each of which becomes a call. */
type Called = Pick<TerminalManager, MethodName>;

abstract class Callable {
  /** Answers a call; see the method of its name. */
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

/** A manager whose methods all come down to `call`. */
export const CalledManager = Callable as abstract new () => Callable & Called;
