/**
 * Assembles the client for one agent: the engine, the agent, the display of their conversation, and the input (keyboard
 * or a single prompt). Like `server.ts`, it reads no settings, never exits the process and traps no signals.
 */
import { resolve } from 'node:path';
import { openCommandPolicy } from './access/policy/open-policy.js';
import { JsonLines } from './acp/run/as-json.js';
import type { OfTerminal, RunEvent } from './acp/run/events.js';
import { harmlessLine } from './acp/harmless.js';
import { inkOf } from './acp/run/ink.js';
import { Keyboard } from './acp/run/keyboard.js';
import type { KeyboardStreams } from './acp/run/keyboard.js';
import { pageOf } from './acp/run/page.js';
import type { Page } from './acp/run/page.js';
import { Painter } from './acp/run/painter.js';
import { endByFailure, endInWords, endOf, RunFailure, stopInWords } from './acp/run/stop.js';
import { Talk } from './acp/run/talk.js';
import type { TalkRequest } from './acp/run/talk.js';
import { AcpTerminals } from './acp/terminals.js';
import type { Options } from './config.js';
import { agentEnvironment } from './config/agent-environment.js';
import type { TerminalManager } from './contract/manager.js';
import { MAX_WAIT_MS } from './contract/output.js';
import { openEngine } from './engine.js';

export type { Talk } from './acp/run/talk.js';

/** Where output is written. */
export interface Paper {
  write(text: string): void;
  /** Resolves when more can be written. */
  ready(): Promise<void>;
}

export interface AcpRunRequest extends Omit<TalkRequest, 'env'> {
  /** The environment of the agent, without tenacitty's settings. */
  readonly env: NodeJS.ProcessEnv;
  /** The prompt of a single turn; null to take one turn per line of `streams`. */
  readonly prompt: string | null;
  readonly streams: KeyboardStreams;
  readonly isJson: boolean;
  /** Write only the agent's answer. */
  readonly isQuiet: boolean;
  readonly hasColour: boolean;
  readonly paper: Paper;
  /** Called once, before anything starts, with the means to interrupt and end the talk. */
  onTalk(talk: Pick<Talk, 'interrupt' | 'end'>): void;
  /** Reports at once a message that does not belong on `paper`. */
  aside(this: void, words: string): void;
  /** Turns the words of a command into what a person types to run it. */
  typed(this: void, words: string): string;
}

export interface AcpRunEnd {
  readonly exitCode: number;
  /** The closing message; empty if there is none. */
  readonly message: string;
}

const MAX_WARNING_CHARS = 300;
/** Events that a person would have seen between two pieces of an answer, and which therefore separate them. */
const BREAKS: readonly RunEvent['type'][] = ['tool', 'plan', 'thought', 'question', 'terminal_started'];

/** Talks with an agent until the conversation ends. Leaves nothing running. */
export async function runAcpClient(options: Options, request: AcpRunRequest): Promise<AcpRunEnd> {
  const page = () => pageOf(request.prompt, request.streams);
  const show = new Showing(request, page);
  const onEvent = (event: RunEvent) => {
    show.event(event);
    if (event.type === 'terminal_started' && event.owner === 'client') void tellOfInput(manager, event, show);
  };
  const talk = new Talk(talkRequest(request, options), { onEvent, ready: () => request.paper.ready(), page });
  request.onTalk(talk);
  const policy = await openCommandPolicy(options, (question, signal) => talk.approve(question, signal));
  if (options.commandPolicyFile !== null) show.event({ type: 'policy', file: options.commandPolicyFile });
  const manager = await openEngine(options);
  const terminals = new AcpTerminals({
    ...{ manager, policy, display: talk.display },
    labels: { agent: harmlessLine(request.argv[0] ?? '', 200) },
  });
  terminals.endAbandoned();
  try {
    return await ended(takeTurns(talk, terminals, request, show), request, show);
  } finally {
    show.end();
    await terminals.close();
    await manager.close();
  }
}

/** Reports once that the program of a terminal waits for input, which only a person can provide. */
async function tellOfInput(manager: TerminalManager, { sessionId, terminalId }: OfTerminal, show: Showing) {
  const wait = manager.wait(terminalId, { input: true, timeoutMs: MAX_WAIT_MS });
  // The terminal is gone, or this system does not report waits for input.
  const reason = await wait.then(({ reason }) => reason).catch(() => null);
  if (reason === 'input') show.event({ type: 'terminal_waits', sessionId, terminalId });
}

/** Shows how the conversation ended, as the last event. Everything that the agent ran has ended by then. */
async function ended(turns: Promise<number>, { prompt, isGranting }: AcpRunRequest, show: Showing): Promise<AcpRunEnd> {
  try {
    const exitCode = await turns;
    show.event({ type: 'end', ...endOf(exitCode, prompt === null ? null : show.stopReason) });
    return { exitCode, message: endInWords(exitCode, isGranting) };
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    show.event({ type: 'end', ...endByFailure(error) });
    return { exitCode: error.exitCode, message: error.message };
  }
}

/** Shows all events as text or JSON, or only the agent's answer. */
class Showing {
  readonly #request: AcpRunRequest;
  readonly #json = new JsonLines();
  readonly #painter: Painter;
  /** The keyboard, if any. All output is shown above its line. */
  keyboard: Keyboard | null = null;
  /** Why the last turn ended, as reported by the agent. */
  stopReason: string | null = null;

  constructor(request: AcpRunRequest, page: () => Page) {
    const { paper, hasColour, typed } = request;
    this.#request = request;
    this.#painter = new Painter(inkOf(hasColour), (text) => paper.write(text), typed, page);
  }

  event(event: RunEvent): void {
    if (event.type === 'stop') this.stopReason = event.reason;
    const show = () => this.#show(event);
    if (this.keyboard === null) show();
    else this.keyboard.above(show, () => this.end());
  }

  /** Starts a new line if the current one is not empty. */
  end(): void {
    this.#painter.endLine();
  }

  #show(event: RunEvent): void {
    const { isQuiet, isJson, paper } = this.#request;
    if (isQuiet) this.#showAnswer(event);
    else if (isJson) paper.write(this.#json.lineOf(event));
    else this.#painter.paint(event);
  }

  /** Reports warnings through `aside`. Starts a new line where a person would have seen other events. */
  #showAnswer(event: RunEvent): void {
    if (event.type === 'message') return this.#painter.paint(event);
    const words = event.type === 'warning' ? event.text : event.type === 'stop' ? stopInWords(event.reason) : null;
    if (words !== null) this.#request.aside(harmlessLine(words, MAX_WARNING_CHARS));
    else if (BREAKS.includes(event.type)) this.end();
  }
}

function talkRequest(request: AcpRunRequest, options: Options): TalkRequest {
  return { ...request, cwd: resolve(request.cwd), env: agentEnvironment(request.env, options) };
}

async function takeTurns(talk: Talk, terminals: AcpTerminals, request: AcpRunRequest, show: Showing): Promise<number> {
  if (request.prompt !== null) return talk.once(request.prompt, terminals);
  const keyboard = new Keyboard(request.streams, () => talk.interrupt());
  show.keyboard = keyboard;
  try {
    return await talk.withKeyboard(keyboard, terminals);
  } finally {
    show.keyboard = null;
    keyboard.close();
  }
}
