/**
 * Where the client for one agent is put together: the engine, the agent, what is shown of their talk, and the person or
 * the one prompt. Like `server.ts` it reads no setting, never exits the process and traps no signal.
 */
import { resolve } from 'node:path';
import { openCommandPolicy } from './access/open-policy.js';
import { AnswerOnly } from './acp/run/answer-only.js';
import { JsonLines } from './acp/run/as-json.js';
import type { RunEvent } from './acp/run/events.js';
import { harmlessLine } from './acp/harmless.js';
import { QuietTerminals } from './acp/run/quiet-terminals.js';
import { inkOf } from './acp/run/ink.js';
import { Keyboard } from './acp/run/keyboard.js';
import type { KeyboardStreams } from './acp/run/bottom-line.js';
import { pageOf } from './acp/run/page.js';
import type { Page } from './acp/run/page.js';
import { Painter } from './acp/run/painter.js';
import { endByFailure, endInWords, endOf, RunFailure } from './acp/run/stop.js';
import { Talk } from './acp/run/talk.js';
import type { TalkRequest } from './acp/run/talk.js';
import { AcpTerminals } from './acp/terminals.js';
import type { Options } from './config.js';
import { agentEnvironment } from './config/agent-environment.js';
import type { TerminalManager } from './contract/manager.js';
import { openEngine } from './engine.js';

export type { Talk } from './acp/run/talk.js';

/** Where it is written what happens. */
export interface Paper {
  write(text: string): void;
  /** Resolves when more may be written. */
  ready(): Promise<void>;
}

export interface AcpRunRequest extends Omit<TalkRequest, 'env'> {
  /** The environment of the agent, but for settings. */
  readonly env: NodeJS.ProcessEnv;
  /** For one turn; null to take a turn for each line of `streams`. */
  readonly prompt: string | null;
  readonly streams: KeyboardStreams;
  readonly isJson: boolean;
  /** Only what the agent answers is written. */
  readonly isQuiet: boolean;
  readonly hasColour: boolean;
  readonly paper: Paper;
  /** Told once of what can be interrupted and ended, before anything is started. */
  onTalk(talk: Pick<Talk, 'interrupt' | 'end'>): void;
  /** Says at once what does not belong on `paper`. */
  aside(this: void, words: string): void;
  /** Makes of a command's words what a person types to call it. */
  typed(this: void, words: string): string;
  /** Whether a person sees that: only they are told that it takes long. */
  readonly isWatched: boolean;
}

export interface AcpRunEnd {
  readonly exitCode: number;
  /** What is to be said of it; empty if nothing is. */
  readonly message: string;
}

/** After so long a person wonders what is going on. */
const SILENCE_MS = 2000;
/** A program that has just asked something reads the answer by then. */
const INPUT_WAIT_MS = 1000;

/** Talks with an agent until there is no more to say; nothing of it is left running. */
export async function runAcpClient(options: Options, request: AcpRunRequest): Promise<AcpRunEnd> {
  const page = () => pageOf(request.prompt, request.streams);
  const show = showing(request, page);
  const silence = new Silence(request);
  let quiet: QuietTerminals | null = null;
  const onEvent = (event: RunEvent) => {
    if (event.type === 'agent') silence.end();
    show.event(event);
    quiet?.take(event);
  };
  const talk = new Talk(talkRequest(request, options), { onEvent, ready: () => request.paper.ready(), page });
  request.onTalk(talk);
  const policy = await openCommandPolicy(options, (question, signal) => talk.approve(question, signal));
  if (options.commandPolicyFile !== null) show.event({ type: 'policy', file: options.commandPolicyFile });
  const manager = await openEngine(options);
  quiet = new QuietTerminals(show.event, (terminalId) => waitsForInput(manager, terminalId));
  const terminals = new AcpTerminals({
    ...{ manager, policy, display: talk.display },
    labels: { agent: harmlessLine(request.argv[0] ?? '', 200) },
  });
  terminals.endAbandoned();
  try {
    silence.begin();
    return await ended(takeTurns(talk, terminals, request, show), request, show);
  } finally {
    silence.end();
    quiet.close();
    show.end();
    await terminals.close();
    await manager.close();
  }
}

/** Whether the program of a terminal waits for input, or does so soon. */
function waitsForInput(manager: TerminalManager, terminalId: string): Promise<boolean> {
  return manager.wait(terminalId, { input: true, timeoutMs: INPUT_WAIT_MS }).then(
    ({ reason }) => reason === 'input',
    // It is gone, or nobody can know it on this system.
    () => false,
  );
}

/** How it ended, which is the last that is shown: what the agent ran has ended by then. */
async function ended(turns: Promise<number>, { prompt, isGranting }: AcpRunRequest, show: Showing): Promise<AcpRunEnd> {
  try {
    const exitCode = await turns;
    show.event({ type: 'end', ...endOf(exitCode, prompt === null ? null : show.stopReason()) });
    return { exitCode, message: endInWords(exitCode, isGranting) };
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    show.event({ type: 'end', ...endByFailure(error) });
    return { exitCode: error.exitCode, message: error.message };
  }
}

/** Until the agent answers for the first time. */
class Silence {
  #timer: NodeJS.Timeout | undefined;

  constructor(readonly request: Pick<AcpRunRequest, 'aside' | 'isWatched'>) {}

  begin(): void {
    if (!this.request.isWatched) return;
    const words = 'Waiting for the agent to answer (initialize), a minute at most; Ctrl-C ends.';
    this.#timer = setTimeout(() => this.request.aside(words), SILENCE_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

interface Showing {
  event(this: void, event: RunEvent): void;
  terminals(talk: Talk): void;
  help(): void;
  /** From now on all is shown above what is typed. */
  above(keyboard: Keyboard): void;
  /** Why the last turn has ended, as the agent says. */
  stopReason(): string | null;
  end(): void;
}

function showing({ isJson, isQuiet, hasColour, paper, aside, typed }: AcpRunRequest, page: () => Page): Showing {
  const json = new JsonLines();
  const answer = new AnswerOnly((text) => paper.write(text), aside);
  const painter = new Painter(inkOf(hasColour), (text) => paper.write(text), typed, page);
  let keyboard: Keyboard | null = null;
  let stopReason: string | null = null;
  const show = (paint: () => void) => {
    if (keyboard === null) return paint();
    keyboard.above(() => {
      paint();
      return isJson || painter.isAtLineStart;
    });
  };
  return {
    event: (event) => {
      if (event.type === 'stop') stopReason = event.reason;
      if (isQuiet) answer.take(event);
      else show(() => (isJson ? paper.write(json.lineOf(event)) : painter.paint(event)));
    },
    stopReason: () => stopReason,
    terminals: (talk) => show(() => painter.listTerminals(talk.terminals.list())),
    help: () => show(() => isJson || painter.help()),
    above: (typed) => (keyboard = typed),
    end: () => isJson || (isQuiet ? answer : painter).endLine(),
  };
}

function talkRequest(request: AcpRunRequest, options: Options): TalkRequest {
  return { ...request, cwd: resolve(request.cwd), env: agentEnvironment(request.env, options) };
}

async function takeTurns(talk: Talk, terminals: AcpTerminals, request: AcpRunRequest, show: Showing): Promise<number> {
  if (request.prompt !== null) return talk.once(request.prompt, terminals);
  const keyboard = new Keyboard(request.streams, {
    onInterrupt: () => talk.interrupt(),
    onCommand: (line) => obeyed(line, talk, show),
    onQueued: (line) => talk.queued(line),
  });
  show.above(keyboard);
  try {
    return await talk.withKeyboard(keyboard, terminals);
  } finally {
    keyboard.close();
  }
}

/** What is said to us and not to the agent. */
function obeyed(line: string, talk: Talk, show: Showing): boolean {
  if (line === '/quit') talk.end(0);
  else if (line === '/cancel') talk.cancel();
  else if (line === '/help') show.help();
  else if (line === '/terminals') show.terminals(talk);
  else return false;
  return true;
}
