/**
 * Assembles the client for one agent: the engine, the agent, the display of the conversation, and the input (the
 * keyboard or a single prompt). Like `server.ts`, reads no settings, never exits the process and handles no signals.
 */
import { resolve } from 'node:path';
import { openCommandPolicy } from './access/policy/open-policy.js';
import { JsonLines } from './acp/run/as-json.js';
import type { TerminalEventFields, RunEvent } from './acp/run/events.js';
import { sanitizeLine } from './acp/sanitize.js';
import { textStyles } from './acp/run/text-styles.js';
import { PromptKeyboard } from './acp/run/prompt-keyboard.js';
import type { KeyboardStreams } from './acp/run/prompt-keyboard.js';
import { screenSizeOf } from './acp/run/screen-size.js';
import type { ScreenSize } from './acp/run/screen-size.js';
import { EventRenderer } from './acp/run/event-renderer.js';
import { endByFailure, describeRunEnd, endOf, RunFailure, describeStop } from './acp/run/stop.js';
import { AgentRun } from './acp/run/agent-run.js';
import type { AgentRunRequest } from './acp/run/agent-run.js';
import { AcpTerminals } from './acp/terminals.js';
import type { Options } from './config.js';
import { agentEnvironment } from './config/agent-environment.js';
import type { TerminalManager } from './contract/manager.js';
import { MAX_WAIT_MS } from './contract/output.js';
import { openEngine } from './engine.js';

export type { AgentRun } from './acp/run/agent-run.js';

/** The destination of output. */
export interface TextOutput {
  write(text: string): void;
  /** Resolves when more can be written. */
  ready(): Promise<void>;
}

export interface AcpRunRequest extends Omit<AgentRunRequest, 'env'> {
  /** The environment of the agent, without tenacitty's settings. */
  readonly env: NodeJS.ProcessEnv;
  /** The prompt of a single turn; null to take one turn per line of `streams`. */
  readonly prompt: string | null;
  readonly streams: KeyboardStreams;
  readonly isJson: boolean;
  /** Whether to write only the agent's reply. */
  readonly isQuiet: boolean;
  readonly hasColour: boolean;
  readonly output: TextOutput;
  /** Called once, before anything starts, with the means to interrupt and end the conversation. */
  onRun(run: Pick<AgentRun, 'interrupt' | 'end'>): void;
  /** Immediately reports a message that does not belong on `output`. */
  warn(this: void, words: string): void;
  /** Returns the full command line to type for the words of a command. */
  formatCommand(this: void, words: string): string;
}

export interface AcpRunEnd {
  readonly exitCode: number;
  /** The closing message; empty if there is none. */
  readonly message: string;
}

const MAX_WARNING_CHARS = 300;
/** Events that start a new line in a reply, because a person would otherwise have seen them between its pieces. */
const BREAKS: readonly RunEvent['type'][] = ['tool', 'plan', 'thought', 'question', 'terminal_started'];

/** Talks with an agent until the conversation ends. Leaves nothing running. */
export async function runAcpClient(options: Options, request: AcpRunRequest): Promise<AcpRunEnd> {
  const screenSize = () => screenSizeOf(request.prompt, request.streams);
  const show = new EventDisplay(request, screenSize);
  const onEvent = (event: RunEvent) => {
    show.event(event);
    if (event.type === 'terminal_started' && event.owner === 'client') void reportInputWait(manager, event, show);
  };
  const run = new AgentRun(runRequest(request, options), { onEvent, ready: () => request.output.ready(), screenSize });
  request.onRun(run);
  const policy = await openCommandPolicy(options, (question, signal) => run.approve(question, signal));
  if (options.commandPolicyFile !== null) show.event({ type: 'policy', file: options.commandPolicyFile });
  const manager = await openEngine(options);
  const terminals = new AcpTerminals({
    ...{ manager, policy, display: run.display },
    labels: { agent: sanitizeLine(request.argv[0] ?? '', 200) },
  });
  terminals.endAbandoned();
  try {
    return await reportEnd(takeTurns(run, terminals, request, show), request, show);
  } finally {
    show.end();
    await terminals.close();
    await manager.close();
  }
}

/** Reports, once, that the program of a terminal is waiting for input, which only a person can provide. */
async function reportInputWait(
  manager: TerminalManager,
  { sessionId, terminalId }: TerminalEventFields,
  show: EventDisplay,
) {
  const wait = manager.wait(terminalId, { input: true, timeoutMs: MAX_WAIT_MS });
  // The wait fails if the terminal no longer exists, or if this system does not report that programs are waiting for
  // input.
  const reason = await wait.then(({ reason }) => reason).catch(() => null);
  if (reason === 'input') show.event({ type: 'terminal_waits', sessionId, terminalId });
}

/** Shows how the conversation ended, as the last event. By then, everything that the agent ran has ended. */
async function reportEnd(
  turns: Promise<number>,
  { prompt, isGranting }: AcpRunRequest,
  show: EventDisplay,
): Promise<AcpRunEnd> {
  try {
    const exitCode = await turns;
    show.event({ type: 'end', ...endOf(exitCode, prompt === null ? null : show.stopReason) });
    return { exitCode, message: describeRunEnd(exitCode, isGranting) };
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    show.event({ type: 'end', ...endByFailure(error) });
    return { exitCode: error.exitCode, message: error.message };
  }
}

/** Shows all events as text or JSON, or only the agent's reply. */
class EventDisplay {
  readonly #request: AcpRunRequest;
  readonly #json = new JsonLines();
  readonly #renderer: EventRenderer;
  /** The keyboard, if any. All output is shown above its input line. */
  keyboard: PromptKeyboard | null = null;
  /** Why the last turn ended, as reported by the agent. */
  stopReason: string | null = null;

  constructor(request: AcpRunRequest, screenSize: () => ScreenSize) {
    const { output: paper, hasColour, formatCommand } = request;
    this.#request = request;
    this.#renderer = new EventRenderer(textStyles(hasColour), (text) => paper.write(text), formatCommand, screenSize);
  }

  event(event: RunEvent): void {
    if (event.type === 'stop') this.stopReason = event.reason;
    const show = () => this.#show(event);
    if (this.keyboard === null) show();
    else this.keyboard.writeAbove(show, () => this.end());
  }

  /** Starts a new line unless the current one is empty. */
  end(): void {
    this.#renderer.endLine();
  }

  #show(event: RunEvent): void {
    const { isQuiet, isJson, output: paper } = this.#request;
    if (isQuiet) this.#showAnswer(event);
    else if (isJson) paper.write(this.#json.lineOf(event));
    else this.#renderer.render(event);
  }

  /**
   * Shows only the reply. Reports warnings through `warn`, and starts a new line where a person would otherwise have
   * seen other events.
   */
  #showAnswer(event: RunEvent): void {
    if (event.type === 'message') return this.#renderer.render(event);
    const words = event.type === 'warning' ? event.text : event.type === 'stop' ? describeStop(event.reason) : null;
    if (words !== null) this.#request.warn(sanitizeLine(words, MAX_WARNING_CHARS));
    else if (BREAKS.includes(event.type)) this.end();
  }
}

function runRequest(request: AcpRunRequest, options: Options): AgentRunRequest {
  return { ...request, cwd: resolve(request.cwd), env: agentEnvironment(request.env, options) };
}

async function takeTurns(
  run: AgentRun,
  terminals: AcpTerminals,
  request: AcpRunRequest,
  show: EventDisplay,
): Promise<number> {
  if (request.prompt !== null) return run.runOnce(request.prompt, terminals);
  const keyboard = new PromptKeyboard(request.streams, () => run.interrupt());
  show.keyboard = keyboard;
  try {
    return await run.runWithKeyboard(keyboard, terminals);
  } finally {
    show.keyboard = null;
    keyboard.close();
  }
}
