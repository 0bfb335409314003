/**
 * Wraps the manager for one caller. The wrapper checks each call against the caller's role, and adds the caller's
 * identity and hold token to it. REST, live connections, MCP and the command line call the engine through this wrapper,
 * and a route that does more declares its action.
 */
import type { Caller } from '../contract/caller.js';
import type { TerminalManager } from '../contract/manager.js';
import { CallDispatchingManager, METHODS } from '../contract/methods.js';
import type { MethodCall } from '../contract/methods.js';
import { checkRole, type Role } from './roles.js';

export interface PermittedCaller {
  readonly role: Role;
  /** Default: the caller named in each call. */
  readonly by?: Caller | undefined;
  /** The token of the caller's hold, if it has one; see `TerminalManager.control`. */
  readonly hold?: string | undefined;
}

/** Returns the wrapped manager. @param manager - Closed when the returned manager is closed. */
export function permitted(manager: TerminalManager, caller: PermittedCaller): TerminalManager {
  return new PermittedManager(manager, caller);
}

type AnyMethod = (...given: readonly unknown[]) => Promise<unknown>;

class PermittedManager extends CallDispatchingManager implements TerminalManager {
  readonly #manager: TerminalManager;
  readonly #caller: PermittedCaller;

  constructor(manager: TerminalManager, caller: PermittedCaller) {
    super();
    this.#manager = manager;
    this.#caller = caller;
  }

  async call({ method, id, commandId, argument, ...options }: MethodCall): Promise<unknown> {
    const { role, by, hold } = this.#caller;
    const { of, action } = METHODS[method];
    checkRole(role, action);
    const target = { manager: [], terminal: [id], command: [id, commandId] }[of];
    const given = { ...options, by: options.by ?? by, hold: options.hold ?? hold };
    return (this.#manager[method] as AnyMethod).call(this.#manager, ...target, argument, given);
  }

  close(): Promise<void> {
    return this.#manager.close();
  }

  async shutdown(graceMs?: number): Promise<void> {
    checkRole(this.#caller.role, 'manage');
    return this.#manager.shutdown(graceMs);
  }
}
