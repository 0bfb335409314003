/**
 * Represents a terminal of the client under test. Accepts responses of the wrong type, because other cases check their
 * schema.
 */
import { shortened } from './answers.js';
import type { RequestSender } from './request-sender.js';
import { demand } from './rule-violation.js';
import type { RpcAnswer, Request } from './peer.js';
import { isObject } from './peer.js';
import { isRunning } from './processes.js';

/** How a command ended, according to the client. */
export interface ReportedExit {
  readonly exitCode: unknown;
  readonly signal: unknown;
}

export interface ReportedOutput {
  /** The output with terminal line endings (CR LF) replaced by LF. */
  readonly text: string;
  /** The output exactly as the client returned it. */
  readonly output: string;
  readonly truncated: unknown;
  /** Undefined while the command is running. */
  readonly exit: ReportedExit | undefined;
}

export class ClientTerminal {
  readonly #sender: RequestSender;

  constructor(
    asker: RequestSender,
    readonly id: string,
  ) {
    this.#sender = asker;
  }

  begin(method: string): Request {
    return this.#sender.begin(method, { terminalId: this.id });
  }

  ask(method: string): Promise<RpcAnswer> {
    return this.begin(method).answer;
  }

  get(method: string): Promise<Record<string, unknown>> {
    return this.#sender.get(method, { terminalId: this.id });
  }

  async output(): Promise<ReportedOutput> {
    const { output, truncated, exitStatus } = await this.get('terminal/output');
    demand(typeof output === 'string', `terminal/output returned the output ${shortened(output)}`);
    const exit = isObject(exitStatus) ? exitOf(exitStatus) : undefined;
    return { output, text: output.replaceAll('\r\n', '\n'), truncated, exit };
  }

  async wait(): Promise<ReportedExit> {
    return exitOf(await this.get('terminal/wait_for_exit'));
  }

  /** Waits until the command has ended, and returns its output. */
  async finished(): Promise<ReportedOutput> {
    await this.wait();
    return this.output();
  }

  kill(): Promise<unknown> {
    return this.get('terminal/kill');
  }

  release(): Promise<unknown> {
    return this.get('terminal/release');
  }

  /** Waits until the output matches. */
  shows(pattern: RegExp): Promise<RegExpExecArray> {
    let seen = '';
    return this.#sender.until(
      async () => pattern.exec((seen = (await this.output()).text)),
      () => `expected output that matches ${pattern}, got ${shortened(seen)}`,
    );
  }

  /** Waits for `count` processes to print their pid as `pid=12`, and returns the pids. */
  async pids(count = 1): Promise<number[]> {
    const [text] = await this.shows(new RegExp(`(pid=\\d+[^]*?){${count}}\\n`));
    return [...text.matchAll(/pid=(\d+)/g)].map(([, pid]) => Number(pid));
  }

  /** Waits until none of the processes is running. */
  gone(pids: readonly number[], after: string): Promise<true> {
    return this.#sender.until(
      () => (pids.some(isRunning) ? undefined : (true as const)),
      () => `${after}, its processes ${pids.filter(isRunning).join(', ')} were still running`,
    );
  }
}

function exitOf(status: Record<string, unknown>): ReportedExit {
  return { exitCode: status['exitCode'] ?? null, signal: status['signal'] ?? null };
}
