/**
 * The terminals of an ACP client as sketched in the protocol's documentation: child processes with pipes, and all
 * output in one string. Unlike the sketch, it reports the exit only after all output is read; otherwise its results
 * would differ.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { CreateTerminalParams, ExitStatus, TerminalOutput, TerminalParams } from '../../src/acp.js';

interface PipeTerminal {
  readonly child: ChildProcess;
  readonly closed: Promise<unknown>;
  output: string;
}

export class PipeTerminals {
  readonly #terminals = new Map<string, PipeTerminal>();

  async createTerminal({ command, args }: CreateTerminalParams): Promise<{ terminalId: string }> {
    const child = spawn(command, args ?? [], { stdio: ['ignore', 'pipe', 'pipe'] });
    const terminal: PipeTerminal = { child, closed: once(child, 'close'), output: '' };
    const append = (data: Buffer): void => void (terminal.output += data.toString());
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    const terminalId = randomUUID();
    this.#terminals.set(terminalId, terminal);
    return { terminalId };
  }

  async terminalOutput({ terminalId }: TerminalParams): Promise<TerminalOutput> {
    return { output: this.#terminals.get(terminalId)!.output, truncated: false };
  }

  async waitForTerminalExit({ terminalId }: TerminalParams): Promise<ExitStatus> {
    const { child, closed } = this.#terminals.get(terminalId)!;
    await closed;
    return { exitCode: child.exitCode, signal: child.signalCode };
  }

  async releaseTerminal({ terminalId }: TerminalParams): Promise<void> {
    const { child } = this.#terminals.get(terminalId)!;
    if (child.exitCode === null) child.kill();
    this.#terminals.delete(terminalId);
  }
}
