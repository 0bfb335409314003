/** Provides what a case works with: the client under test, and the case's terminals, which are released at the end. */
import { shortened } from './answers.js';
import { RequestSender } from './request-sender.js';
import { demand } from './rule-violation.js';
import { ClientTerminal } from './client-terminal.js';

export type CreateParams = Readonly<Record<string, unknown>>;

/** Returns a program and arguments that run a script, without relying on the client's shell. */
export function shellWords(script: string): { command: string; args: string[] } {
  return { command: '/bin/sh', args: ['-c', script] };
}

export class CaseContext extends RequestSender {
  readonly #held: ClientTerminal[] = [];

  async create(params: CreateParams): Promise<ClientTerminal> {
    return this.hold((await this.get('terminal/create', params))['terminalId']);
  }

  /** Registers a terminal that was created, so that it is released at the end. */
  hold(terminalId: unknown): ClientTerminal {
    demand(typeof terminalId === 'string', `the terminal id is ${shortened(terminalId)}`);
    const held = new ClientTerminal(this, terminalId);
    this.#held.push(held);
    return held;
  }

  /** Creates a terminal that runs a /bin/sh script, passed as an argument. */
  shell(script: string, params: CreateParams = {}): Promise<ClientTerminal> {
    return this.create({ ...shellWords(script), ...params });
  }

  /** Runs a script to its end and returns its output. */
  async print(script: string, params: CreateParams = {}): Promise<string> {
    return (await (await this.shell(script, params)).finished()).text;
  }

  /** Releases the case's terminals. Ignores failures, because other cases check for them. */
  async leave(): Promise<void> {
    await Promise.allSettled(this.#held.map((held) => this.ask('terminal/release', { terminalId: held.id })));
  }
}
