/**
 * Asks the user for a password that a program requests, if the client can show a link. The call is interrupted with the
 * link; when the client repeats the call, it resumes after the command, which never runs again.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CLIENT_CAPABILITIES_META_KEY, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type {
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  McpServer,
  ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { NO_OUTPUT } from '../../contract/output.js';
import { terminalId } from '../../contract/terminal.js';
import type { Question } from '../../contract/waiting.js';
import { printableLines } from '../../printable.js';
import { AdvisedError } from '../advised-error.js';
import { failure, rendered } from '../answer.js';
import type { ToolAnswer } from '../answer.js';
import { readArguments } from '../arguments.js';
import type { ActionCall } from '../call.js';
import { longestWait, msUntil, untilDone } from '../command-wait.js';
import { commandAnswer } from '../outcome.js';
import { LruMap } from '../../lru-map.js';
import type { PendingQuestion, SecretPages } from './page.js';
import { callTerminal } from '../terminal-tool.js';
import type { TargetTerminal, Workspace } from '../workspace.js';

/** The name of the password request in the protocol. */
const PASSWORD = 'password';
/** Time for a program to process a password or ask again. */
const SETTLE_MS = 1000;
const MAX_SETTLE_MS = 10_000;
/**
 * Maximum time for the terminal to detect the waiting program on its own, which takes about as long as a request does.
 */
const MAX_FINDING_MS = 5000;
/** Maximum number of remembered questions that a client can return to. */
const MAX_REMEMBERED = 1000;

type Base = Omit<ActionCall, 'args'>;
export type ToolResult = CallToolResult | InputRequiredResult;

/**
 * The state that the client sends back. It may have been altered, but contains only names that the client could use
 * anyway.
 */
const stateSchema = z.strictObject({ terminal: terminalId, command: z.int().positive(), asked: z.string() });

/** Matches the facts of a result that reports that a command is asking for a password. */
const askingSchema = z.object({
  ...{ terminal: z.int().optional(), id: z.string().optional(), command_id: z.int() },
  waiting: z.object({ kind: z.literal('password') }),
});

/** Returns whether the client can show links to the user. */
export function canShowLinks({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  return capabilities?.elicitation?.url !== undefined;
}

/** Manages questions to users and the calls that are waiting for their answers. */
export class PasswordQuestions {
  readonly #pages: SecretPages;
  /** Includes answered questions, because their clients may return later. */
  readonly #questions = new LruMap<PendingQuestion>(MAX_REMEMBERED);

  constructor(pages: SecretPages) {
    this.#pages = pages;
  }

  /**
   * Handles a call of the tool. If the client can show links, offers one for a password; otherwise does the same as
   * `callTerminal`.
   */
  async call(
    base: Base,
    given: unknown,
    { mcpReq }: ServerContext,
    onFault: (error: unknown) => void,
  ): Promise<ToolResult> {
    const state = mcpReq.requestState();
    if (state === undefined && mcpReq.inputResponses === undefined) {
      return await this.#offerLink(base, await callTerminal(base, given, onFault));
    }
    try {
      return await this.#resume(base, given, state, mcpReq.inputResponses);
    } catch (error) {
      return rendered(failure(error));
    }
  }

  /** Returns the result or, if it reports that a command is asking for a password, the question for the user. */
  async #offerLink({ workspace, caller }: Base, answer: ToolAnswer): Promise<ToolResult> {
    const { data } = askingSchema.safeParse(answer.facts);
    if (data === undefined || caller.signal.aborted) return rendered(answer);
    const { command_id: command } = data;
    const target = await workspace.target({ ...(data.id !== undefined && { id: data.id }), terminal: data.terminal });
    const question = await questionIn(workspace, target, caller.signal);
    if (question?.kind !== 'password') return rendered(answer);
    const text = await textOf(workspace, target, command, question);
    const pending = await this.#pages.ask({ text, answer: (secret) => type(workspace, target, question, secret) });
    const key = randomUUID();
    this.#questions.set(key, pending);
    return inputRequired({
      inputRequests: { [PASSWORD]: inputRequired.elicitUrl({ message: text, url: pending.url }) },
      requestState: JSON.stringify({ terminal: target.id, command, asked: key } satisfies z.input<typeof stateSchema>),
    });
  }

  /** Resumes after the command. Takes only how much to show and how long to wait from the repeated call. */
  async #resume(base: Base, given: unknown, state: unknown, responses: Responses): Promise<ToolResult> {
    const call: ActionCall = { ...base, args: readArguments(given).args };
    const { terminal, command, asked: key } = readState(state);
    const target = await base.workspace.targetOf(terminal);
    const pending = this.#questions.peek(key);
    const deadline = performance.now() + longestWait(call);
    const response = inputResponse(responses, PASSWORD);
    if (response.kind !== 'elicit' || response.action !== 'accept') {
      pending?.close();
      return rendered(
        await commandAnswer(call, target, await base.workspace.manager.collect(terminal, command, NO_OUTPUT)),
      );
    }
    const isTyped = await untilTyped(pending, call, deadline);
    if (isTyped) await settle(call, target, command);
    const answer = await commandAnswer(call, target, await untilDone(call, target, command, deadline));
    return isTyped ? this.#offerLink(base, answer) : rendered(answer);
  }
}

type Responses = ServerContext['mcpReq']['inputResponses'];

function readState(state: unknown): z.output<typeof stateSchema> {
  try {
    return stateSchema.parse(JSON.parse(String(state)));
  } catch {
    const message = 'requestState: does not match a question that was asked; nothing was run';
    throw new AdvisedError('INVALID_INPUT', message, 'WAIT shows the state of the command.');
  }
}

/** Returns the question that the terminal has detected on its own, or null if that takes too long. */
async function questionIn({ manager }: Workspace, { id }: TargetTerminal, left: AbortSignal): Promise<Question | null> {
  const watch = await manager.watch({ ids: [id] });
  const end = AbortSignal.any([left, AbortSignal.timeout(MAX_FINDING_MS)]);
  end.addEventListener('abort', () => watch.close(), { once: true });
  try {
    const [terminal] = await manager.overview({ ids: [id] });
    if (terminal?.waiting) return terminal.waiting;
    for await (const { event } of watch) if (event.type === 'waiting') return event.waiting;
    return null;
  } finally {
    watch.close();
  }
}

async function textOf(
  { manager }: Workspace,
  target: TargetTerminal,
  commandId: number,
  { by, prompt }: Question,
): Promise<string> {
  const { text } = await manager.command(target.id, commandId);
  const where = target.number === null ? `terminal ${target.id}` : `terminal ${target.number} (${target.id})`;
  return `${by} in ${where} asks for a password: ${prompt}\nCommand: ${printableLines(text)}`;
}

/** Types the password if the program is still asking this question; never answers a later one. */
async function type({ manager }: Workspace, { id }: TargetTerminal, asked: Question, secret: string): Promise<boolean> {
  await manager.answer(id, { waiting: asked.id, text: secret });
  return true;
}

/** Resolves to whether the password was typed, or to false if this call must not wait any longer. */
async function untilTyped(
  pending: PendingQuestion | undefined,
  { caller }: ActionCall,
  deadline: number,
): Promise<boolean> {
  if (pending === undefined) return false;
  const isOver = pause(msUntil(deadline), false, { signal: caller.signal, ref: false }).catch(() => false);
  return Promise.race([pending.outcome, isOver]);
}

async function settle({ workspace, caller }: ActionCall, { id }: TargetTerminal, commandId: number): Promise<void> {
  const request = { idleMs: SETTLE_MS, commandId, timeoutMs: MAX_SETTLE_MS };
  await workspace.manager.wait(id, request, { signal: caller.signal });
}
