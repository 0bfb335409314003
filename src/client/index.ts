/**
 * `tenacitty/client`: a typed client of a tenacitty server for Node, browsers, Deno and Bun. Depends only on `fetch`
 * and `WebSocket`.
 */
import type {
  CollectCommand,
  CommandRecord,
  CommandResult,
  ExecCommand,
  ExecInNewTerminal,
  IntegrateShell,
  ListCommands,
  NestedShell,
  WaitFor,
  WaitResult,
} from '../contract/command.js';
import type { Controlled, ControlTerminal } from '../contract/control.js';
import type { OverviewTerminal } from '../contract/overview.js';
import type { OutputPage, ReadOutput, TerminalScreen, TerminalStats } from '../contract/output.js';
import type { ProgramResult, RunProgram } from '../contract/program.js';
import type { SearchOutput, SearchResult } from '../contract/search.js';
import type { FoundItem, SearchAll } from '../contract/search-all.js';
import type {
  CreatedTerminal,
  CreateTerminal,
  KillTerminal,
  SendSignal,
  TerminalDetail,
  TerminalInput,
  TerminalSize,
  TerminalStatus,
  TerminalSummary,
  UpdateTerminal,
} from '../contract/terminal.js';
import type { TerminalFilter } from '../contract/terminal-filter.js';
import type { AnswerQuestion } from '../contract/waiting.js';
import type { WatchedEvent } from '../contract/watch.js';
import { ApiError } from './error.js';
import { watchEvents, type EventsOptions } from './events.js';
import { LiveTerminal, type LiveOptions } from './live-terminal.js';
import { Requests, type ConnectOptions } from './requests.js';
import { pieces } from './streams.js';

export { ApiError } from './error.js';
export type { EventsOptions } from './events.js';
export type { ConnectOptions } from './requests.js';
export { LiveTerminal, type LiveOptions } from './live-terminal.js';
export type { LiveMessage } from '../contract/live.js';
export type { OverviewTerminal } from '../contract/overview.js';
export type { FoundItem, SearchAll } from '../contract/search-all.js';
export type { ManagerEvent, WatchedEvent } from '../contract/watch.js';

/** Options of calls that change a terminal or may wait. */
export interface CallOptions {
  /** Ends the wait for the response. A command that has started keeps running. */
  readonly signal?: AbortSignal;
  /** Token of the caller that holds the terminal; see `control`. */
  readonly hold?: string;
  /** Idempotency key. A call that is repeated with the same key within ten minutes has no second effect. */
  readonly key?: string;
}

/** Which terminals to list. */
export interface ListFilter {
  readonly name?: string;
  readonly status?: TerminalStatus;
  /** Only terminals with all of these labels, each as `NAME=VALUE`. */
  readonly label?: readonly string[];
  /** Maximum number of terminals. Default: 1000. */
  readonly limit?: number;
  /** Only terminals after this one: the last `terminalId` of the previous page. */
  readonly after?: string;
}

/** Which terminals to show in an overview, and in which order. */
export interface OverviewRequest extends TerminalFilter {
  /** `created` (default): oldest first. `activity`: most recently active first. `name`: alphabetically. */
  readonly sort?: 'created' | 'activity' | 'name';
  /** Maximum number of terminals. Default: 100. */
  readonly limit?: number;
  /** Only terminals after this one: the last `terminalId` of the previous page. */
  readonly after?: string;
}

export interface Overview {
  readonly terminals: Listed<OverviewTerminal>[];
  /** The overview may not reflect events that happened after this time. */
  readonly asOf: string;
  readonly hasMore: boolean;
}

type Listed<Terminal> = Terminal & { readonly terminalId: string };

/**
 * A client of one server. Every method that concerns a terminal accepts its id or its name. Every method throws {@link
 * ApiError} if the server returns an error.
 */
export class TenacittyClient {
  readonly #requests: Requests;

  constructor(options: ConnectOptions = {}) {
    this.#requests = new Requests(options);
  }

  /** Starts a shell, or the program `command`, in a new terminal. */
  create(options: CreateTerminal = {}, call: CallOptions = {}): Promise<CreatedTerminal> {
    return this.#post('/api/terminals', options, call);
  }

  /** Lists terminals, including ended ones, oldest first. */
  list(filter: ListFilter = {}): Promise<{ terminals: Listed<TerminalSummary>[]; count: number; hasMore: boolean }> {
    return this.#requests.send('/api/terminals', { query: filter });
  }

  /** Returns everything known about a terminal. */
  get(terminal: string): Promise<Listed<TerminalDetail>> {
    return this.#requests.send(at(terminal));
  }

  /** Changes the name and labels of a terminal. */
  update(terminal: string, change: UpdateTerminal): Promise<Listed<TerminalDetail>> {
    return this.#requests.send(at(terminal), { method: 'PATCH', body: change });
  }

  /** Types text or keys. Resolves when the input has been queued. */
  write(terminal: string, input: TerminalInput, call: CallOptions = {}): Promise<void> {
    return this.#post(at(terminal, 'input'), input, call);
  }

  /** Reads lines of output. With `timeoutMs`, waits for new output first. */
  read(terminal: string, request: ReadOutput = {}, call: CallOptions = {}): Promise<OutputPage> {
    return this.#get(at(terminal, 'output'), request, call);
  }

  /** Searches the output for a string or a regular expression. */
  search(terminal: string, request: SearchOutput, call: CallOptions = {}): Promise<SearchResult> {
    return this.#get(at(terminal, 'search'), request, call);
  }

  /** Returns the screen as a person would see it now. */
  screen(terminal: string, format: 'text' | 'ansi' = 'text'): Promise<TerminalScreen> {
    return this.#requests.send(at(terminal, 'screen'), { query: { format } });
  }

  /** Returns how much a terminal has printed and how much of that is held. */
  stats(terminal: string): Promise<TerminalStats & { readonly terminalId: string }> {
    return this.#requests.send(at(terminal, 'stats'));
  }

  /** Resizes the screen and notifies the program. */
  resize(terminal: string, size: TerminalSize, call: CallOptions = {}): Promise<void> {
    return this.#requests.send(at(terminal, 'size'), { method: 'PUT', body: size, ...headersOf(call) });
  }

  /** Sends a signal. Does not end the terminal itself. */
  signal(terminal: string, request: SendSignal): Promise<void> {
    return this.#post(at(terminal, 'signal'), request);
  }

  /** Discards the output held so far. */
  clear(terminal: string): Promise<void> {
    return this.#requests.send(at(terminal, 'output'), { method: 'DELETE' });
  }

  /** Ends the program and every process that it started, then removes the terminal. */
  remove(terminal: string, request: KillTerminal = {}): Promise<void> {
    return this.#requests.send(at(terminal), { method: 'DELETE', query: request });
  }

  /** Runs a command in a terminal's shell. Waits until it ends or asks for input, or until the timeout expires. */
  exec(terminal: string, request: ExecCommand, call: CallOptions = {}): Promise<CommandResult> {
    return this.#post(at(terminal, 'exec'), request, call);
  }

  /** Runs a command in the shell of a new terminal, which ends with the command unless `keep` is set. */
  execInNewTerminal(request: ExecInNewTerminal, call: CallOptions = {}): Promise<CommandResult> {
    return this.#post('/api/exec', request, call);
  }

  /** Runs a program without a shell in a new terminal. */
  run(request: RunProgram, call: CallOptions = {}): Promise<ProgramResult> {
    return this.#post('/api/run', request, call);
  }

  /** Lists the commands of a terminal, oldest first. */
  commands(
    terminal: string,
    request: ListCommands = {},
  ): Promise<{ commands: CommandRecord[]; count: number; hasMore: boolean }> {
    return this.#requests.send(at(terminal, 'commands'), { query: request });
  }

  /** Returns one command without its output. */
  command(terminal: string, commandId: number): Promise<CommandRecord> {
    return this.#requests.send(at(terminal, `commands/${commandId}`));
  }

  /** Returns the state and output of a command. Waits first if requested. */
  collect(
    terminal: string,
    commandId: number,
    request: CollectCommand = {},
    call: CallOptions = {},
  ): Promise<CommandResult> {
    return this.#get(at(terminal, `commands/${commandId}/result`), request, call);
  }

  /** Reads the output of one command. */
  readCommand(
    terminal: string,
    commandId: number,
    request: ReadOutput = {},
    call: CallOptions = {},
  ): Promise<OutputPage> {
    return this.#get(at(terminal, `commands/${commandId}/output`), request, call);
  }

  /** Types Ctrl-C if the command is still running. Resolves to whether it was. */
  async interrupt(terminal: string, commandId: number): Promise<boolean> {
    const answer = await this.#post<{ interrupted: boolean }>(at(terminal, `commands/${commandId}/interrupt`));
    return answer.interrupted;
  }

  /** Makes `exec` run commands in the nested shell or REPL that a running command has opened. */
  integrate(terminal: string, request: IntegrateShell = {}, call: CallOptions = {}): Promise<NestedShell> {
    return this.#post(at(terminal, 'integrate'), request, call);
  }

  /** Waits for the first of several conditions. */
  wait(terminal: string, request: WaitFor = {}, call: CallOptions = {}): Promise<WaitResult> {
    return this.#post(at(terminal, 'wait'), request, call);
  }

  /** Holds a terminal, so that other callers cannot type, run commands or resize it, or hands it back. */
  control(terminal: string, request: ControlTerminal, call: CallOptions = {}): Promise<Controlled> {
    return this.#post(at(terminal, 'control'), request, call);
  }

  /** Returns what a page about many terminals shows. */
  overview(request: OverviewRequest = {}): Promise<Overview> {
    return this.#requests.send('/api/overview', { query: request });
  }

  /**
   * Answers the question that a terminal's program is asking. `waiting` is the question's id, from an overview or an
   * event.
   *
   * @throws ApiError `NOT_WAITING` if the program is no longer asking this question; nothing has been typed.
   */
  answer(terminal: string, request: AnswerQuestion): Promise<void> {
    return this.#post(at(terminal, 'answer'), request);
  }

  /**
   * Yields events of all terminals, from the next event on or after a cursor. Reconnects whenever the connection is
   * lost, and continues after the last event. A `reset` event means that events are missing.
   */
  events(options: EventsOptions = {}): AsyncGenerator<WatchedEvent> {
    return watchEvents(this.#requests, options);
  }

  /** Searches all terminals and yields each match as soon as it is found. The last item is `end`. */
  async *searchAll(request: SearchAll, { signal }: CallOptions = {}): AsyncGenerator<FoundItem> {
    const answer = await this.#requests.open('/api/search', { query: request, ...(signal && { signal }) });
    for await (const line of pieces(answer, '\n')) {
      const item = JSON.parse(line) as FoundItem | ({ type: 'failed' } & ApiError);
      if (item.type === 'failed') throw new ApiError(item.code, item.message, answer.status, item.details);
      yield item;
      if (item.type === 'end') return;
    }
    throw new Error('The search was cut off before it was complete');
  }

  /** Opens a live connection, which reconnects whenever it is lost. */
  live(terminal: string, options: LiveOptions): LiveTerminal {
    return new LiveTerminal(this.#requests, at(terminal), options);
  }

  #get<Data>(path: string, query: object, { signal }: CallOptions): Promise<Data> {
    return this.#requests.send(path, { query, ...(signal && { signal }) });
  }

  #post<Data>(path: string, body?: object, call: CallOptions = {}): Promise<Data> {
    const { signal } = call;
    return this.#requests.send(path, {
      method: 'POST',
      ...(body && { body }),
      ...headersOf(call),
      ...(signal && { signal }),
    });
  }
}

function at(terminal: string, rest?: string): string {
  return `/api/terminals/${encodeURIComponent(terminal)}${rest === undefined ? '' : `/${rest}`}`;
}

function headersOf({ hold, key }: CallOptions) {
  return { headers: { 'X-Hold': hold, 'Idempotency-Key': key } };
}
