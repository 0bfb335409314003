/**
 * Asks the user for a password that a program requests, if the client can show a link and a server is running whose page
 * the link can open. The call is interrupted with the link; when the client repeats the call, it resumes after the
 * command, which never runs again.
 */
import { CLIENT_CAPABILITIES_META_KEY, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type {
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  McpServer,
  ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AnswerLink, CreateAnswerLink } from '../../access/answer-links.js';
import type { TerminalManager } from '../../contract/manager.js';
import { NO_OUTPUT } from '../../contract/output.js';
import type { OverviewTerminal } from '../../contract/overview.js';
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
/** Maximum number of links that can be revoked before they expire. */
const MAX_REMEMBERED = 1000;

type Base = Omit<ActionCall, 'args'>;
export type ToolResult = CallToolResult | InputRequiredResult;

/**
 * The state that the client sends back. It may have been altered, but contains only names that the client could use
 * anyway.
 */
const stateSchema = z.strictObject({ terminal: terminalId, command: z.int().positive(), waiting: z.string() });

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

/** Gives users links to the page of a running server, and resumes the calls that wait for their answers. */
export class PasswordQuestions {
  readonly #createLink: CreateAnswerLink;
  /** The last link to each question, by the id of the question. */
  readonly #links = new LruMap<AnswerLink>(MAX_REMEMBERED);

  constructor(createLink: CreateAnswerLink) {
    this.#createLink = createLink;
  }

  /**
   * Handles a call of the tool. If a server can show the page, offers a link for a password; otherwise does the same as
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
      return await this.#offerLink(base, await callTerminal(base, given, onFault), onFault);
    }
    try {
      return await this.#resume(base, given, state, mcpReq.inputResponses, onFault);
    } catch (error) {
      return rendered(failure(error));
    }
  }

  /** Returns the result or, if it reports that a command is asking for a password, the question for the user. */
  async #offerLink({ workspace, caller }: Base, answer: ToolAnswer, onFault: OnFault): Promise<ToolResult> {
    const { data } = askingSchema.safeParse(answer.facts);
    if (data === undefined || caller.signal.aborted) return rendered(answer);
    const { command_id: command } = data;
    const target = await workspace.target({ ...(data.id !== undefined && { id: data.id }), terminal: data.terminal });
    const question = await questionIn(workspace, target, caller.signal);
    if (question?.kind !== 'password') return rendered(answer);
    const link = await this.#linkTo(question, target, command).catch((error: unknown) => {
      onFault(error);
      return undefined;
    });
    if (link === undefined) return rendered(answer);
    const message = await textOf(workspace, target, command, question);
    const state: z.input<typeof stateSchema> = { terminal: target.id, command, waiting: question.id };
    return inputRequired({
      inputRequests: { [PASSWORD]: inputRequired.elicitUrl({ message, url: link.url }) },
      requestState: JSON.stringify(state),
    });
  }

  /** Creates a link, which replaces the last one to the same question. */
  async #linkTo({ id }: Question, target: TargetTerminal, commandId: number): Promise<AnswerLink | undefined> {
    const question = { terminalId: target.id, waiting: id, commandId, terminal: nameOf(target) };
    const link = await this.#createLink(question);
    this.#links.peek(id)?.revoke();
    if (link !== undefined) this.#links.set(id, link);
    return link;
  }

  /** Resumes after the command. Takes only how much to show and how long to wait from the repeated call. */
  async #resume(
    base: Base,
    given: unknown,
    state: unknown,
    responses: Responses,
    onFault: OnFault,
  ): Promise<ToolResult> {
    const call: ActionCall = { ...base, args: readArguments(given).args };
    const { terminal, command, waiting } = readState(state);
    const target = await base.workspace.targetOf(terminal);
    const deadline = performance.now() + longestWait(call);
    const response = inputResponse(responses, PASSWORD);
    if (response.kind !== 'elicit' || response.action !== 'accept') {
      this.#links.peek(waiting)?.revoke();
      return rendered(
        await commandAnswer(call, target, await base.workspace.manager.collect(terminal, command, NO_OUTPUT)),
      );
    }
    const isAnswered = await untilAnswered(call, terminal, waiting, deadline);
    if (isAnswered) await settle(call, target, command);
    const answer = await commandAnswer(call, target, await untilDone(call, target, command, deadline));
    return isAnswered ? this.#offerLink(base, answer, onFault) : rendered(answer);
  }
}

type OnFault = (error: unknown) => void;
type Responses = ServerContext['mcpReq']['inputResponses'];

function readState(state: unknown): z.output<typeof stateSchema> {
  try {
    return stateSchema.parse(JSON.parse(String(state)));
  } catch {
    const message = 'requestState: does not match a question that was asked; nothing was run';
    throw new AdvisedError('INVALID_INPUT', message, 'WAIT shows the state of the command.');
  }
}

/** Returns the question that the terminal has detected on its own, or undefined if that takes too long. */
function questionIn({ manager }: Workspace, { id }: TargetTerminal, left: AbortSignal): Promise<Question | undefined> {
  const end = AbortSignal.any([left, AbortSignal.timeout(MAX_FINDING_MS)]);
  return foundIn(manager, id, end, (terminal) => terminal?.waiting ?? undefined);
}

/** Resolves to true once the program no longer asks the question, or to undefined if this call must not wait longer. */
function untilAnswered(
  { workspace: { manager }, caller }: ActionCall,
  id: string,
  waiting: string,
  deadline: number,
): Promise<true | undefined> {
  const end = AbortSignal.any([caller.signal, AbortSignal.timeout(msUntil(deadline))]);
  return foundIn(manager, id, end, (terminal) => (terminal?.waiting?.id === waiting ? undefined : true));
}

/** Looks at a terminal now and after each of its events, until something is found or the wait ends. */
async function foundIn<Found>(
  manager: TerminalManager,
  id: string,
  end: AbortSignal,
  find: (terminal: OverviewTerminal | undefined) => Found | undefined,
): Promise<Found | undefined> {
  const look = async () => find((await manager.overview({ ids: [id] }))[0]);
  const watch = await manager.watch({ ids: [id] });
  end.addEventListener('abort', () => watch.close(), { once: true });
  try {
    let found = await look();
    if (found !== undefined || end.aborted) return found;
    for await (const _event of watch) {
      found = await look();
      if (found !== undefined) return found;
    }
    return undefined;
  } finally {
    watch.close();
  }
}

function nameOf({ number, id }: TargetTerminal): string {
  return `terminal ${number ?? id}`;
}

async function textOf(
  { manager }: Workspace,
  target: TargetTerminal,
  commandId: number,
  { by, prompt }: Question,
): Promise<string> {
  const { text } = await manager.command(target.id, commandId);
  const where = target.number === null ? nameOf(target) : `${nameOf(target)} (${target.id})`;
  return `${by} in ${where} asks for a password: ${prompt}\nCommand: ${printableLines(text)}`;
}

async function settle({ workspace, caller }: ActionCall, { id }: TargetTerminal, commandId: number): Promise<void> {
  const request = { idleMs: SETTLE_MS, commandId, timeoutMs: MAX_SETTLE_MS };
  await workspace.manager.wait(id, request, { signal: caller.signal });
}
