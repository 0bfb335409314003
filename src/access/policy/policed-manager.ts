/**
 * Wraps a manager with a policy. Every method that starts a program or types consults the policy first; all other
 * methods pass through. No route or action can therefore bypass the policy. Of the interface, it knows only the name.
 */
import { resolve } from 'node:path';
import { check } from '../../check.js';
import { commandName } from '../../command-name.js';
import type { CommandRecord, ExecCommand } from '../../contract/command.js';
import type { OnceOptions, TerminalManager, WaitOptions } from '../../contract/manager.js';
import { METHOD_NAMES } from '../../contract/methods.js';
import type { MethodName } from '../../contract/methods.js';
import { createTerminal } from '../../contract/terminal.js';
import type { CreateTerminal, TerminalDetail, TerminalInput } from '../../contract/terminal.js';
import { TerminalError } from '../../errors.js';
import type { EngineLog } from '../../contract/options.js';
import { loginShell } from '../../user-name.js';
import type { CommandPermit, CommandRequest } from './command-policy.js';
import type { DescribedPolicy } from './create-command-policy.js';
import { denied } from './denial.js';
import { kernelPath } from './kernel-path.js';
import { baseName } from '../shell-line/launch-analyzer.js';
import { isInteractiveShell } from '../shell-line/shells.js';
import { TimeLimits } from './time-limits.js';

export interface PolicedOptions {
  /** The interface that requests come from: `http`, `mcp` or `library`. */
  readonly door: string;
  /** The default shell; empty means the login shell. */
  readonly defaultShell?: string;
  /** Default: no logging. */
  readonly log?: EngineLog;
}

/** Keys that only end or suspend a program or end its input, so that no command can be typed with them. */
const STOPPING_KEYS = ['ctrl-c', 'ctrl-d', 'ctrl-\\', 'ctrl-z'];
const STOPPING_TEXT = /^[\x03\x04\x1a\x1c]+$/;

/** Returns the wrapped manager. @param manager - Closed when the returned manager is closed. */
export function policed(manager: TerminalManager, policy: DescribedPolicy, options: PolicedOptions): TerminalManager {
  const limits = new TimeLimits(manager, options.log ?? (() => {}));
  const guard = new Guard(manager, policy, limits, options);
  const passed = METHOD_NAMES.map((method) => [method, (...call: never[]) => passOn(manager, method, call)]);
  return {
    ...(Object.fromEntries(passed) as Pick<TerminalManager, MethodName>),
    create: (request, waiting) => guard.create(request, waiting),
    exec: (id, request, waiting) => guard.exec(id, request, waiting),
    write: (id, input, once) => guard.write(id, input, once),
    // A program may run the answer as part of a command line, so it is checked like any other input.
    answer: (id, request, options) => guard.typing(() => manager.answer(id, request, options)),
    integrate: (id, request, waiting) => guard.typing(() => manager.integrate(id, request, waiting)),
    collect: async (...call) => limits.ofCommand(await manager.collect(...call)),
    close: () => (limits.close(), manager.close()),
    shutdown: (graceMs) => (limits.close(), manager.shutdown(graceMs)),
  };
}

function passOn(manager: TerminalManager, method: MethodName, call: readonly never[]): Promise<unknown> {
  return (manager[method] as (...given: readonly never[]) => Promise<unknown>).call(manager, ...call);
}

class Guard {
  readonly #manager: TerminalManager;
  readonly #policy: DescribedPolicy;
  readonly #limits: TimeLimits;
  readonly #options: PolicedOptions;

  constructor(manager: TerminalManager, policy: DescribedPolicy, limits: TimeLimits, options: PolicedOptions) {
    this.#manager = manager;
    this.#policy = policy;
    this.#limits = limits;
    this.#options = options;
  }

  async create(given: CreateTerminal = {}, waiting: OnceOptions = {}): Promise<TerminalDetail> {
    const request = check('', createTerminal, given);
    const model = request.like === undefined ? null : await this.#manager.get(request.like);
    const { command, args } = this.#programOf(request, model);
    const cwd = this.#directoryOf(request, model);
    const requested = { door: this.#options.door, command, args, cwd, env: request.env ?? {} };
    const { env, timeLimitMs } = await this.#permit(requested, waiting);
    const isLimited = timeLimitMs !== null && !isInteractiveShell(baseName(command), args);
    const limit = isLimited ? { timeLimitMs: Math.min(timeLimitMs, request.timeLimitMs ?? Infinity) } : {};
    // By id, because the name may belong to another terminal by the time this is used.
    const like = model?.id;
    return this.#manager.create({ ...request, like, ...limit, cwd, env }, waiting);
  }

  async exec(id: string, request: ExecCommand, options: OnceOptions = {}) {
    const { cwd, shell } = await this.#manager.get(id);
    const [newest] = await this.#manager.commands(id, { limit: 1 });
    const isWithin = await this.#isWithin(id, newest);
    const { door } = this.#options;
    const cwdInShell = newest?.cwd ?? null;
    const place = { cwd, newest: newest?.commandId ?? null, cwdInShell };
    const requested = { door, command: request.command, args: null, cwd, cwdInShell, env: {}, shell, isWithin };
    const { timeLimitMs } = await this.#permit(requested, options);
    await this.#checkDirectoryUnchanged(id, requested);
    // A command that ends after this check can still change the shell's directory, so `exec` checks again before it
    // types.
    const exec = () => this.#manager.exec(id, request, { ...options, place });
    const result = await (timeLimitMs === null ? exec() : this.#limits.limitCommand(id, timeLimitMs, exec));
    return this.#limits.ofCommand(result);
  }

  /**
   * Checks that the shell is still in the directory that the policy decision, possibly a person's approval, was based
   * on.
   */
  async #checkDirectoryUnchanged(id: string, requested: CommandRequest): Promise<void> {
    const { cwd } = await this.#manager.get(id);
    if (cwd === requested.cwd) return;
    const reason = 'the shell changed its directory during the policy check';
    throw denied(requested, { decision: 'deny', rule: 'directory', reason });
  }

  /**
   * Returns the policy's permit. Throws if the caller disconnected while approval was pending, so that nothing is
   * started.
   */
  async #permit(request: CommandRequest, { signal }: WaitOptions): Promise<CommandPermit> {
    try {
      const permit = await this.#policy.permit(request, signal);
      signal?.throwIfAborted();
      return permit;
    } catch (error) {
      if (error instanceof TerminalError || signal?.aborted !== true) throw error;
      const reason = 'the caller disconnected before the policy check was complete';
      throw denied(request, { decision: 'deny', rule: 'caller left', reason });
    }
  }

  /** Returns whether commands currently run in a nested shell or REPL. */
  async #isWithin(id: string, newest: CommandRecord | undefined): Promise<boolean> {
    if (newest === undefined) return false;
    const { within } = newest;
    const around = within === null ? newest : await this.#manager.command(id, within);
    return around.state === 'nested';
  }

  write(id: string, input: TerminalInput, options?: OnceOptions): Promise<void> {
    const { input: text = '', keys = [] } = input;
    const isStopping = keys.every((key) => STOPPING_KEYS.includes(key)) && (text === '' || STOPPING_TEXT.test(text));
    const isEnter = input.enter === true || (keys.length === 0 && text === '');
    const write = () => this.#manager.write(id, input, options);
    return isStopping && !isEnter ? write() : this.typing(write);
  }

  /** Performs an action that types text if the policy allows typing. The text itself cannot be checked. */
  async typing<Answer>(type: () => Promise<Answer>): Promise<Answer> {
    if (this.#policy.allowsInput) return type();
    const keys = STOPPING_KEYS.join(', ');
    const hint =
      `Run commands with exec, which checks them. To stop a running command, send the keys ${keys}. A person can ` +
      `type with ${commandName()} attach.`;
    const details = { rule: 'input: deny', command: 'typing into a terminal', hint };
    throw new TerminalError('COMMAND_DENIED', 'The policy does not allow typing into terminals', details);
  }

  #programOf({ shell, command, args }: CreateTerminal, model: TerminalDetail | null) {
    const named = command ?? shell;
    if (named === undefined && model !== null) return { command: model.shell, args: args ?? model.args };
    return { command: named ?? this.#defaultShell(), args: args ?? [] };
  }

  #defaultShell(): string {
    return this.#options.defaultShell || (loginShell() ?? '/bin/sh');
  }

  /**
   * Returns the directory to start in, with links resolved: in a directory entered through a link, `..` in a shell
   * would lead back through the link.
   */
  #directoryOf({ cwd }: CreateTerminal, model: TerminalDetail | null): string {
    const named = cwd ?? model?.cwd ?? model?.startCwd;
    const directory = named === undefined ? this.#policy.startDirectory(process.cwd()) : resolve(named);
    return kernelPath(directory) ?? directory;
  }
}
