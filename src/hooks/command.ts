/** Runs a hook's command, with an event as JSON on its stdin, and discards the command's output. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { homedir } from 'node:os';
import type { Writable } from 'node:stream';
import { buildEnvironment } from '../launch/environment.js';
import { killTree } from '../processes/kill.js';
import { startTimeOf } from '../processes/process-table.js';
import type { CommandPermit } from '../access/policy/command-policy.js';
import type { DescribedPolicy } from '../access/policy/create-command-policy.js';
import { Slots } from './slots.js';

/** Maximum number of commands that run at the same time, across all hooks. */
export const MAX_COMMANDS = 4;
const COMMAND_TIMEOUT_MS = 60_000;

export interface CommandOptions {
  readonly policy: DescribedPolicy | null;
  /**
   * Variables that are withheld from commands, and variables that tell commands where the terminals are held. The same
   * as for terminals.
   */
  readonly withheldEnv: readonly string[];
  readonly placeEnv: Readonly<Record<string, string>>;
  /** Default: `COMMAND_TIMEOUT_MS`. */
  readonly timeoutMs?: number;
}

/** @throws `COMMAND_DENIED` */
export async function permitCommand(command: string, policy: DescribedPolicy | null): Promise<CommandPermit> {
  const cwd = directoryOf(policy);
  const permit = await policy?.permit({ door: 'hooks', command, args: null, cwd, env: {}, shell: 'sh' });
  return permit ?? { env: {}, timeLimitMs: null };
}

function directoryOf(policy: DescribedPolicy | null): string {
  return policy?.startDirectory(homedir()) ?? homedir();
}

export class HookCommands {
  readonly #options: CommandOptions;
  readonly #slots = new Slots(MAX_COMMANDS);

  constructor(options: CommandOptions) {
    this.#options = options;
  }

  /**
   * Runs a command. Resolves when it has exited with 0. Ends whatever it leaves running.
   *
   * @throws `COMMAND_DENIED` if the policy does not allow the command; an error that describes how it ended if it
   * failed or ran too long; the reason of `signal` if it aborts.
   */
  async run(command: string, input: string, signal: AbortSignal): Promise<void> {
    const release = await this.#slots.take(signal);
    try {
      const { timeLimitMs } = await permitCommand(command, this.#options.policy);
      const timeoutMs = Math.min(timeLimitMs ?? Infinity, this.#options.timeoutMs ?? COMMAND_TIMEOUT_MS);
      signal.throwIfAborted();
      await this.#runFor(timeoutMs, command, input, signal);
    } finally {
      release();
    }
  }

  async #runFor(timeoutMs: number, command: string, input: string, signal: AbortSignal): Promise<void> {
    const mark = `hook-${randomUUID()}`;
    const timeout = AbortSignal.timeout(timeoutMs);
    const child = this.#start(command, input, mark);
    const { pid } = child;
    const target = pid === undefined ? null : { pid, startTime: startTimeOf(pid), terminalId: mark };
    try {
      const [code, killedBy] = (await once(child, 'exit', { signal: AbortSignal.any([signal, timeout]) })) as unknown[];
      if (code !== 0) throw new Error(`the command ended with ${String(code ?? killedBy)}`);
    } catch (error) {
      throw timeout.aborted ? new Error(`the command ran for longer than ${timeoutMs / 1000} s and was ended`) : error;
    } finally {
      if (target !== null) await killTree(target, { signal: 'SIGKILL', graceMs: 0 });
    }
  }

  #start(command: string, input: string, mark: string): ChildProcess {
    const { policy, withheldEnv: withheld, placeEnv: place } = this.#options;
    const cwd = directoryOf(policy);
    const env = buildEnvironment({ inherited: process.env, withheld, place, requested: {}, cwd, terminalId: mark });
    const child = spawn('/bin/sh', ['-c', command], { cwd, env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    // Errors are ignored here. A process that could not be started, for lack of descriptors, has no stdin, and a
    // command need not read its stdin.
    child.on('error', () => {});
    (child.stdin as Writable | undefined)?.on('error', () => {}).end(input);
    return child;
  }
}
