/** What a case works with: the client under test, and its terminals, which are released at the end. It knows no rule. */
import { shortened } from './answers.js';
import { Asker } from './asker.js';
import { demand } from './breach.js';
import { HeldTerminal } from './held-terminal.js';

export type CreateParams = Readonly<Record<string, unknown>>;

/** A program by its arguments, without the client's help. */
export function shellWords(script: string): { command: string; args: string[] } {
  return { command: '/bin/sh', args: ['-c', script] };
}

export class Stage extends Asker {
  readonly #held: HeldTerminal[] = [];

  async create(params: CreateParams): Promise<HeldTerminal> {
    return this.hold((await this.get('terminal/create', params))['terminalId']);
  }

  /** Takes care of a terminal that was made. */
  hold(terminalId: unknown): HeldTerminal {
    demand(typeof terminalId === 'string', `the terminal's id is ${shortened(terminalId)}`);
    const held = new HeldTerminal(this, terminalId);
    this.#held.push(held);
    return held;
  }

  /** A terminal with a script of /bin/sh, given as arguments. */
  shell(script: string, params: CreateParams = {}): Promise<HeldTerminal> {
    return this.create({ ...shellWords(script), ...params });
  }

  /** Runs a script to its end, and answers with what it printed. */
  async print(script: string, params: CreateParams = {}): Promise<string> {
    return (await (await this.shell(script, params)).finished()).text;
  }

  /** Gives back what the case holds; a client that cannot has failed elsewhere. */
  async leave(): Promise<void> {
    await Promise.allSettled(this.#held.map((held) => this.ask('terminal/release', { terminalId: held.id })));
  }
}
