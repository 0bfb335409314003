/**
 * Runs a conversation with an agent from start to end, with one turn, or with one turn for each line from the keyboard.
 * Combines the program, the session, the display and the questions. Independent of how events are displayed and where
 * terminals are held.
 */
import type { ApprovalRequest } from '../../access/policy/command-policy.js';
import type { AcpTerminals } from '../terminals.js';
import { ShownTerminals } from '../shown-terminals.js';
import type { TerminalDisplay } from '../display.js';
import { AgentProcess } from './agent-process.js';
import type { AgentCommand } from './agent-process.js';
import { Conversation } from './conversation.js';
import type { SessionRequest } from './conversation.js';
import { terminalEvent, type RunEvent } from './events.js';
import type { PromptKeyboard } from './prompt-keyboard.js';
import { PermissionRequests } from './permission-requests.js';
import type { QuestionView } from './permission-requests.js';
import { exitCodeOfStop, RUN_EXIT, RunFailure, TIMEOUT_MESSAGE } from './stop.js';
import { UpdateParser } from './update-parser.js';

export interface AgentRunRequest extends SessionRequest, AgentCommand {
  /** Whether to grant every request. */
  readonly isGranting: boolean;
  /** Limit on the total time, or null for none. */
  readonly timeoutMs: number | null;
}

export interface RunView extends QuestionView {
  /** Resolves when more may be displayed. */
  ready(): Promise<void>;
}

/** Time that an agent has to end a cancelled turn once the time limit has expired. */
const CANCEL_GRACE_MS = 3000;
const MAX_STRAY_LINES = 5;

export class AgentRun {
  readonly #request: AgentRunRequest;
  readonly #view: RunView;
  readonly #questions: PermissionRequests;
  readonly #abort = new AbortController();
  readonly #updates = new UpdateParser();
  readonly #shown: ShownTerminals;
  #conversation: Conversation | null = null;
  /** The current turn. Aborted when the turn is cancelled. */
  #turn: AbortController | null = null;
  #strayLines = 0;
  #isTimeUp = false;

  constructor(request: AgentRunRequest, view: RunView) {
    [this.#request, this.#view] = [request, view];
    this.#questions = new PermissionRequests(request.isGranting, view);
    this.#shown = new ShownTerminals((change) => this.#emit(terminalEvent(change)));
  }

  /** The display for the terminals that are served to the agent. */
  get display(): TerminalDisplay {
    const shown = this.#shown;
    return {
      started: (terminal) => shown.started(terminal),
      output: (terminalId, data) => shown.output(terminalId, data),
      ended: (terminalId, exit) => shown.ended(terminalId, exit),
      refused: ({ command, reason }) =>
        this.#warn(`Not run: ${reason.startsWith(command ?? '') ? reason : `${command}: ${reason}`}`),
    };
  }

  /**
   * Runs one turn. Resolves to the exit code.
   *
   * @throws {RunFailure} If the conversation cannot begin or continue.
   */
  runOnce(prompt: string, terminals: AcpTerminals): Promise<number> {
    return this.#runWithAgent(terminals, async () => {
      const code = exitCodeOfStop(await this.#takeTurn(prompt));
      if (this.#isTimeUp) return RUN_EXIT.timeout;
      return this.#questions.lacksPermission ? RUN_EXIT.notPermitted : code;
    });
  }

  /**
   * Runs a turn for each line until there are no more lines. Resolves to the exit code.
   *
   * @throws {RunFailure} If the conversation cannot begin or continue.
   */
  runWithKeyboard(keyboard: PromptKeyboard, terminals: AcpTerminals): Promise<number> {
    this.#questions.keyboard = keyboard;
    return this.#runWithAgent(terminals, async (conversation) => {
      // The agent may end between turns, which the next line detects.
      const lost = conversation.lost();
      lost.catch(() => {});
      for (;;) {
        const line = await Promise.race([keyboard.next(), lost]);
        this.#abort.signal.throwIfAborted();
        if (line === null || line === '/quit') break;
        await this.#takeTurn(line).catch((error: unknown) => this.#emitFailure(error));
      }
      return this.#questions.lacksPermission ? RUN_EXIT.notPermitted : RUN_EXIT.done;
    });
  }

  /**
   * Handles Ctrl-C by cancelling the turn. If there is no turn, or it is already being cancelled, ends the
   * conversation.
   */
  interrupt(): void {
    if (this.#turn === null || this.#turn.signal.aborted) return this.end(RUN_EXIT.cancelled);
    this.#warn('Cancelling the turn; press Ctrl-C again to exit immediately.');
    this.#cancel();
  }

  /** Ends the conversation immediately. */
  end(exitCode: number): void {
    this.#abort.abort(new RunFailure(exitCode, ''));
    this.#questions.keyboard?.close();
  }

  approve(request: ApprovalRequest, signal: AbortSignal): Promise<boolean | null> {
    return this.#questions.approve(request, this.#withdrawnSignal(signal));
  }

  /** Cancels the turn. Returns whether there was one. */
  #cancel(): boolean {
    if (this.#turn === null) return false;
    this.#turn.abort();
    this.#conversation?.cancel().catch(() => {
      // The agent has exited, which the turn itself detects.
    });
    return true;
  }

  async #runWithAgent(
    terminals: AcpTerminals,
    converse: (conversation: Conversation) => Promise<number>,
  ): Promise<number> {
    const letGo = this.#limitTime();
    const agent = await AgentProcess.start(this.#request, {
      onUpdate: (params) => this.#onUpdate(params),
      onStray: (line) => this.#onStray(line),
      onStderr: (text) => this.#emit({ type: 'stderr', text }),
      ready: () => this.#view.ready(),
    });
    try {
      this.#conversation = await this.#open(agent, terminals);
      return await converse(this.#conversation);
    } finally {
      letGo();
      this.#conversation?.close();
      // The terminals belong to the agent; all their output is still shown.
      await Promise.allSettled([terminals.close(), agent.end()]);
    }
  }

  #open(agent: AgentProcess, terminals: AcpTerminals): Promise<Conversation> {
    return Conversation.open({
      ...this.#request,
      ...{ agent, terminals, signal: this.#abort.signal },
      onEvent: (event) => this.#emit(event),
      choose: (params, signal) =>
        this.#questions.ask(this.#updates.readQuestion(params), this.#withdrawnSignal(signal)),
    });
  }

  async #takeTurn(text: string): Promise<string> {
    this.#emit({ type: 'prompt', text });
    this.#turn = new AbortController();
    try {
      const reason = await this.#conversation!.prompt(text);
      this.#emit({ type: 'stop', reason });
      return reason;
    } finally {
      this.#turn.abort();
      this.#turn = null;
    }
  }

  /** Reports an error response from the agent; the conversation can continue after it. */
  #emitFailure(error: unknown): void {
    if (!(error instanceof RunFailure) || error.exitCode !== RUN_EXIT.failed) throw error;
    this.#warn(error.message);
  }

  /** Starts the time limit. Returns a function that stops it. */
  #limitTime(): () => void {
    const { timeoutMs } = this.#request;
    if (timeoutMs === null) return () => {};
    const failure = new RunFailure(RUN_EXIT.timeout, TIMEOUT_MESSAGE);
    let timer = setTimeout(() => {
      this.#isTimeUp = true;
      timer = setTimeout(() => this.#abort.abort(failure), this.#cancel() ? CANCEL_GRACE_MS : 0);
    }, timeoutMs);
    return () => clearTimeout(timer);
  }

  /**
   * Returns a signal that aborts when a question is withdrawn: by the agent, because the turn is cancelled, or because
   * the conversation ends.
   */
  #withdrawnSignal(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#abort.signal, ...(this.#turn === null ? [] : [this.#turn.signal])]);
  }

  #onUpdate(params: unknown): void {
    const { sessionId, update } = (params ?? {}) as { readonly sessionId?: unknown; readonly update?: unknown };
    this.#emit(this.#updates.read(update));
    this.#shown.take(typeof sessionId === 'string' ? sessionId : '', update);
  }

  #onStray(line: string): void {
    if (++this.#strayLines > MAX_STRAY_LINES) return;
    this.#warn(`The agent printed a line that is not a protocol message: ${line}`);
  }

  #warn(text: string): void {
    this.#emit({ type: 'warning', text });
  }

  #emit(event: RunEvent | null): void {
    if (event !== null) this.#view.onEvent(event);
  }
}
