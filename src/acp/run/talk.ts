/**
 * A talk with an agent from its start to its end: one turn, or one for each line of a keyboard. Puts together the
 * program, the session, what is shown and who is asked; knows neither how it is shown nor where terminals are held.
 */
import type { McpServerStdio } from '@agentclientprotocol/sdk';
import type { ApprovalRequest } from '../../access/command-policy.js';
import type { AcpTerminals } from '../terminals.js';
import { ShownTerminals } from '../shown-terminals.js';
import type { TerminalChange } from '../shown-terminals.js';
import type { TerminalDisplay } from '../display.js';
import { AgentProcess } from './agent-process.js';
import { Conversation } from './conversation.js';
import type { PermissionOption, PermissionQuestion, RunEvent } from './events.js';
import type { Keyboard, Line } from './keyboard.js';
import type { Page } from './page.js';
import { fits } from './paint-question.js';
import { grant, isGrant, refusal } from './permission.js';
import { exitCodeOfStop, RUN_EXIT, RunFailure, TIME_IS_UP } from './stop.js';
import { terminalEvent } from './terminal-events.js';
import { Updates } from './updates.js';

export interface TalkRequest {
  /** The agent's program and its arguments. */
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Grants whatever is asked. */
  readonly isGranting: boolean;
  readonly sessionId: string | null;
  readonly auth: string | null;
  /** How long it may take in all; null for no limit. */
  readonly timeoutMs: number | null;
  readonly mcpServers: readonly McpServerStdio[];
}

export interface TalkSurface {
  onEvent(event: RunEvent): void;
  /** Resolves when more may be shown. */
  ready(): Promise<void>;
  /** What the person sees at once. */
  page(): Page;
}

/** How long an agent has to end a turn that it is told to cancel, when time is up. */
const CANCEL_GRACE_MS = 3000;
const MAX_STRAYS = 5;
/** What can be said to what the policy asks about. */
const APPROVAL: readonly PermissionOption[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'reject', name: 'Refuse', kind: 'reject_once' },
];

export class Talk {
  readonly #request: TalkRequest;
  readonly #surface: TalkSurface;
  readonly #abort = new AbortController();
  readonly #updates = new Updates();
  readonly #shown = new ShownTerminals((change) => this.#onTerminal(change));
  #conversation: Conversation | null = null;
  #keyboard: Keyboard | null = null;
  /** The turn under way: aborted when it is cancelled. */
  #turn: AbortController | null = null;
  #strays = 0;
  /** Settled when the newest question is. */
  #asked: Promise<unknown> = Promise.resolve();
  /** Whether something was not permitted for want of a person to ask. */
  #lacksPermission = false;
  #isTimeUp = false;

  constructor(request: TalkRequest, surface: TalkSurface) {
    this.#request = request;
    this.#surface = surface;
  }

  /** What is to be told of the terminals that are served to the agent. */
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

  get terminals(): ShownTerminals {
    return this.#shown;
  }

  /** One turn. Answers with the exit code. @throws {RunFailure} */
  once(prompt: string, terminals: AcpTerminals): Promise<number> {
    return this.#with(terminals, async () => {
      const code = exitCodeOfStop(await this.#takeTurn(prompt));
      if (this.#isTimeUp) return RUN_EXIT.timeout;
      return this.#lacksPermission ? RUN_EXIT.notPermitted : code;
    });
  }

  /** A turn for each line, until there are no more. Answers with the exit code. @throws {RunFailure} */
  withKeyboard(keyboard: Keyboard, terminals: AcpTerminals): Promise<number> {
    this.#keyboard = keyboard;
    return this.#with(terminals, async (conversation) => {
      const lost = conversation.lost();
      // Noticed at the next line.
      lost.catch(() => {});
      const next = () => this.#nextLine(keyboard, lost);
      for (let line = await next(); line !== null; line = await next()) {
        await this.#takeTurn(line.text, line.isQueued).catch((error: unknown) => this.#tellFailure(error));
      }
      return this.#lacksPermission ? RUN_EXIT.notPermitted : RUN_EXIT.done;
    });
  }

  /** The person has entered what is said later. */
  queued(text: string): void {
    this.#surface.onEvent({ type: 'queued', text });
  }

  /** Ctrl-C: cancels the turn; where that is under way already, or there is none, all ends. */
  interrupt(): void {
    if (this.#turn === null || this.#turn.signal.aborted) return this.end(RUN_EXIT.cancelled);
    this.#warn('The turn is being cancelled; Ctrl-C again ends all at once.');
    this.cancel();
  }

  /** Answers whether there is a turn to cancel. */
  cancel(): boolean {
    if (this.#turn === null) return false;
    this.#turn.abort();
    this.#dropQueue();
    this.#conversation?.cancel().catch(() => {
      // The agent is gone, which the turn is told by itself.
    });
    return true;
  }

  /** Whoever cancels does not want what they have lined up for afterwards to be done as if nothing had happened. */
  #dropQueue(): void {
    const dropped = this.#keyboard?.dropQueue() ?? [];
    if (dropped.length > 0) this.#warn(`Not said any more: ${dropped.map(({ text }) => text).join('; ')}`);
  }

  /** Ends all, at once. */
  end(exitCode: number): void {
    this.#abort.abort(new RunFailure(exitCode, ''));
    this.#keyboard?.close();
  }

  async #with(terminals: AcpTerminals, talk: (conversation: Conversation) => Promise<number>): Promise<number> {
    const letGo = this.#limitTime();
    const { argv, cwd, env } = this.#request;
    const agent = await AgentProcess.start(
      { argv, cwd, env },
      {
        onStray: (line) => this.#onStray(line),
        onStderr: (text) => this.#surface.onEvent({ type: 'stderr', text }),
        ready: () => this.#surface.ready(),
      },
    );
    try {
      this.#conversation = await this.#open(agent, terminals);
      return await talk(this.#conversation);
    } finally {
      letGo();
      this.#conversation?.close();
      // Terminals are the agent's: they are shown to their end.
      await Promise.allSettled([terminals.close(), agent.end()]);
    }
  }

  #open(agent: AgentProcess, terminals: AcpTerminals): Promise<Conversation> {
    const { cwd, mcpServers, sessionId, auth } = this.#request;
    return Conversation.open({
      ...{ agent, terminals, cwd, mcpServers, sessionId, auth, signal: this.#abort.signal },
      onEvent: (event) => this.#surface.onEvent(event),
      onUpdate: (id, update) => this.#onUpdate(id, update),
      choose: (params, signal) => this.#choose(params, signal),
    });
  }

  /** The agent may end while nothing is asked of it. */
  async #nextLine(keyboard: Keyboard, lost: Promise<never>): Promise<Line | null> {
    const { signal } = this.#abort;
    if (signal.aborted) throw signal.reason as RunFailure;
    const line = await Promise.race([keyboard.next(), lost]);
    if (signal.aborted) throw signal.reason as RunFailure;
    return line;
  }

  async #takeTurn(text: string, isQueued = false): Promise<string> {
    this.#surface.onEvent({ type: 'prompt', text, isQueued });
    this.#turn = new AbortController();
    try {
      const reason = await this.#conversation!.prompt(text);
      this.#surface.onEvent({ type: 'stop', reason });
      return reason;
    } finally {
      this.#turn.abort();
      this.#turn = null;
    }
  }

  /** An agent that answers with an error can be talked with all the same. */
  #tellFailure(error: unknown): void {
    if (!(error instanceof RunFailure) || error.exitCode !== RUN_EXIT.failed) throw error;
    this.#warn(error.message);
  }

  /** Answers with what stops the clock. */
  #limitTime(): () => void {
    const { timeoutMs } = this.#request;
    if (timeoutMs === null) return () => {};
    const failure = new RunFailure(RUN_EXIT.timeout, TIME_IS_UP);
    let timer = setTimeout(() => {
      this.#isTimeUp = true;
      timer = setTimeout(() => this.#abort.abort(failure), this.cancel() ? CANCEL_GRACE_MS : 0);
    }, timeoutMs);
    return () => clearTimeout(timer);
  }

  #onUpdate(sessionId: string, update: unknown): void {
    const event = this.#updates.read(update);
    if (event !== null) this.#surface.onEvent(event);
    this.#shown.take(sessionId, update);
  }

  #onTerminal(change: TerminalChange): void {
    const event = terminalEvent(change);
    if (event !== null) this.#surface.onEvent(event);
  }

  /** Asks the person about what the policy wants somebody's word for. Without one, it is refused. */
  async approve({ command: text, cwd, env, reason }: ApprovalRequest, signal: AbortSignal): Promise<boolean | null> {
    const command = { text, cwd, env, reason };
    const title = `Run ${text}? (${reason})`;
    const option = await this.#ask({ toolCallId: '', title, options: APPROVAL, command }, signal);
    if (option !== null && isGrant(option)) return true;
    return this.#hasNobody ? null : false;
  }

  #choose(params: unknown, signal: AbortSignal): Promise<PermissionOption | null> {
    return this.#ask(this.#updates.readQuestion(params), signal);
  }

  /** One question at a time: a number answers the one that is shown. */
  #ask(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionOption | null> {
    const isOff = AbortSignal.any([signal, this.#abort.signal, ...(this.#turn === null ? [] : [this.#turn.signal])]);
    const answer = this.#asked.then(async () => {
      this.#surface.onEvent({ type: 'question', ...question });
      const isUnasked = !isOff.aborted && this.#hasNobody;
      const option = await this.#optionOf(question, isOff);
      this.#surface.onEvent({ type: 'answer', toolCallId: question.toolCallId, option, isUnasked });
      return option;
    });
    this.#asked = answer.catch(() => null);
    return answer;
  }

  get #hasNobody(): boolean {
    return !this.#request.isGranting && this.#keyboard?.isTerminal !== true;
  }

  async #optionOf(question: PermissionQuestion, isOff: AbortSignal): Promise<PermissionOption | null> {
    const { options } = question;
    if (isOff.aborted) return null;
    const granted = this.#request.isGranting ? grant(options) : null;
    if (granted !== null) return granted;
    if (this.#keyboard?.isTerminal === true && !this.#request.isGranting) {
      if (!fits(question, this.#surface.page())) return this.#refuseUnseen(question);
      const index = await this.#keyboard.pick(options.length, isOff);
      return index === null ? null : (options[index] ?? null);
    }
    this.#lacksPermission ||= options.some(isGrant) || this.#request.isGranting;
    return refusal(options);
  }

  /** Nobody can allow what nobody has seen. */
  #refuseUnseen(question: PermissionQuestion): PermissionOption | null {
    const { columns, rows } = this.#surface.page();
    this.#warn(
      `That is too long to be asked: not all of it would be seen on a screen of ${columns}x${rows}. It is refused; a larger one shows more.`,
    );
    return refusal(question.options);
  }

  #onStray(line: string): void {
    if (++this.#strays > MAX_STRAYS) return;
    this.#warn(`The agent has printed what is no message of the protocol: ${line}`);
  }

  #warn(text: string): void {
    this.#surface.onEvent({ type: 'warning', text });
  }
}
