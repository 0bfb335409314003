/**
 * The interface every door is written against: who exists, and all that can be done to a terminal.
 * Asynchronous, plain data in and out, so that a process boundary can lie under it. It knows neither
 * doors nor where the terminals are kept.
 */
import type {
  CollectCommand,
  CommandRecord,
  CommandResult,
  ExecCommand,
  IntegrateShell,
  ListCommands,
  ShellPlace,
  ShellWithin,
  WaitFor,
  WaitResult,
} from './command.js';
import type { TerminalEvent } from './event.js';
import type { OutputPage, ReadOutput, TerminalScreen, TerminalSnapshot, TerminalStats } from './output.js';
import type { SearchOutput, SearchResult } from './search.js';
import type {
  CreateTerminal,
  KillTerminal,
  ListTerminals,
  SendSignal,
  TerminalDetail,
  TerminalInput,
  TerminalSize,
  TerminalSummary,
  UpdateTerminal,
} from './terminal.js';

/** Numbers for health checks and metrics. */
export interface ManagerSummary {
  readonly activeTerminals: number;
  readonly exitedTerminals: number;
  readonly lostTerminals: number;
  /** Terminals created since the manager started. */
  readonly createdTotal: number;
  /** Bytes written by programs since the manager started. */
  readonly outputBytesTotal: number;
  /** Bytes typed into terminals since the manager started. */
  readonly inputBytesTotal: number;
  /** Requests that are waiting now: for output, a command or anything else. */
  readonly waitingReads: number;
  /** Bytes of history held in memory now, by the manager's own count. */
  readonly historyBytes: number;
  /** Bytes of history on disk. */
  readonly diskBytes: number;
  /** What does not answer or cannot be used, in words for people; empty when all is well. */
  readonly problems: readonly string[];
  /** Whether some process that holds terminals does not answer: what it holds is as it last said, or missing. */
  readonly isIncomplete: boolean;
}

/** A stream of events from one terminal, pulled at the subscriber's own pace. */
export interface Subscription extends AsyncIterable<TerminalEvent> {
  /** Ends the stream at once; the iterator finishes. Safe to call twice. */
  close(): void;
}

/** Options common to calls that may wait. */
export interface WaitOptions {
  /** Ends the wait (never the program): the call answers with what there is. */
  readonly signal?: AbortSignal | undefined;
}

/** Options common to calls that are made only once. */
export interface OnceOptions extends WaitOptions {
  /**
   * Idempotency key, a UUID: of the same call made again with it, only the first has an effect. A terminal that is
   * created has it as its id. Of input the last hundred are known.
   */
  readonly key?: string | undefined;
}

/** Options of `exec`. */
export interface ExecOptions extends OnceOptions {
  /** Where the shell has to stand when the command is typed; where it does not, nothing is. */
  readonly place?: ShellPlace | undefined;
}

/**
 * Keeps terminals. Every method but `create`, `list`, `summary`, `close` and `shutdown` throws
 * `TERMINAL_NOT_FOUND` for an unknown id; every method throws `INVALID_INPUT` for arguments that do
 * not fit their schemas. Where terminals are held by other processes, every method but `close`
 * may throw `HOST_UNRESPONSIVE`, `HOST_LOST` or `HOST_FAILED` besides.
 */
export interface TerminalManager {
  /**
   * Starts a program in a new terminal.
   *
   * @param waiting - Its signal ends what may come before the start: somebody is asked whether it may be. What has started stays.
   * @throws `INVALID_INPUT` if the shell, program or directory cannot be used (named in the details),
   * `NAME_TAKEN` if one that runs has the name, `LIMIT_REACHED` if there are too many terminals, `SPAWN_FAILED` if the system refuses,
   * `SHUTTING_DOWN` after `shutdown`.
   */
  create(options?: CreateTerminal, waiting?: OnceOptions): Promise<TerminalDetail>;

  /**
   * All terminals, or those with the name or labels asked for; ended ones that are still readable included, oldest first.
   * Of a process that does not answer all that it held is listed, and nothing where a name or labels are asked for.
   */
  list(request?: ListTerminals): Promise<TerminalSummary[]>;

  /**
   * All there is to know of one terminal.
   *
   * @param idOrName - All other methods take an id, which this one tells. Of one name: the one that runs, else the newest.
   */
  get(idOrName: string): Promise<TerminalDetail>;

  /**
   * Changes what it is called and its labels, whether its program runs or has ended.
   *
   * @throws `NAME_TAKEN` if it runs, and so does another of that name.
   */
  update(id: string, change: UpdateTerminal): Promise<TerminalDetail>;

  /**
   * Types into a terminal. Resolves when the input is queued; it is delivered in order and whole,
   * as fast as the program takes it.
   *
   * @throws `TERMINAL_INACTIVE` if the program has ended, `PAYLOAD_TOO_LARGE` if the input is over
   * TENACITTY_MAX_INPUT_BYTES, `LIMIT_REACHED` if that much is already waiting to be taken by the program.
   */
  write(id: string, input: TerminalInput, options?: OnceOptions): Promise<void>;

  /**
   * Reads lines of history. Pure: consumes nothing. With `timeoutMs` it waits for something new first.
   *
   * @throws `LIMIT_REACHED` if too many reads are waiting already.
   */
  read(id: string, request?: ReadOutput, options?: WaitOptions): Promise<OutputPage>;

  /**
   * Looks for a text or an expression in the history, line by line: in what is on disk, in memory and on the screen.
   * Pure: consumes nothing. Ends when enough is found, or after ten seconds, and says how far it came.
   *
   * @throws `COMMAND_NOT_FOUND`, `LIMIT_REACHED` if too many requests wait already, `READ_FAILED`.
   */
  search(id: string, request: SearchOutput, options?: WaitOptions): Promise<SearchResult>;

  /** How much it has written, and how much of that is held. */
  stats(id: string): Promise<TerminalStats>;

  /** What a person would see now. */
  screen(id: string, format?: 'text' | 'ansi'): Promise<TerminalScreen>;

  /** What a newcomer needs before the output from `offset` on (`subscribe`) makes sense. */
  snapshot(id: string): Promise<TerminalSnapshot>;

  /** Gives the screen another size, of which the program hears. @throws `TERMINAL_INACTIVE` if the program has ended. */
  resize(id: string, size: TerminalSize): Promise<void>;

  /** Sends a signal and nothing else. @throws `TERMINAL_INACTIVE` if the program has ended. */
  signal(id: string, request: SendSignal): Promise<void>;

  /** Forgets all history held so far. Line numbers and offsets go on from where they were. */
  clear(id: string): Promise<void>;

  /**
   * Ends the program and every process it started, and waits until they are gone. The terminal stays
   * readable. Does nothing to a terminal that has ended already, but for processes it left behind.
   *
   * @throws `KILL_FAILED` if some process would not go.
   */
  kill(id: string, request?: KillTerminal): Promise<void>;

  /** `kill`, then forgets the terminal and frees all it held. */
  remove(id: string, request?: KillTerminal): Promise<void>;

  /**
   * Streams a terminal's output from an offset (default: from now on), each byte once, in order. A
   * subscriber that falls behind what is held gets a `gap` event, never silence.
   */
  subscribe(id: string, fromOffset?: number): Promise<Subscription>;

  /**
   * Runs a command in the shell of a terminal and waits for its end, for a question it asks, or until time is up:
   * then it goes on, and `collect` gives the rest. One that was not begun in time, as the shell still starts, never runs.
   *
   * @throws `TERMINAL_BUSY` if a command runs already (the details say which, and what it does) or the shell is not at `place`, `NOT_INTEGRATED` if
   * no shell that can be followed runs there, `TERMINAL_INACTIVE` if the program has ended, `LIMIT_REACHED` if too many
   * wait already.
   */
  exec(id: string, request: ExecCommand, options?: ExecOptions): Promise<CommandResult>;

  /**
   * Has `exec` run in the shell or REPL that a running command has led to (`ssh`, `sudo -s`, `docker exec`, `python3`),
   * until that ends. Types into it. Where one is followed there already, it is told.
   *
   * @throws `NOT_INTEGRATED` if nothing is there that can be followed (the details say what is), `TERMINAL_INACTIVE` if
   * the program has ended, `WRITE_FAILED`, `LIMIT_REACHED` if too many wait already.
   */
  integrate(id: string, request?: IntegrateShell, options?: WaitOptions): Promise<ShellWithin>;

  /**
   * How a command goes or went, and its output; waits as asked.
   *
   * @throws `COMMAND_NOT_FOUND`, `LIMIT_REACHED` if too many wait already.
   */
  collect(id: string, commandId: number, request?: CollectCommand, options?: WaitOptions): Promise<CommandResult>;

  /**
   * Ctrl-C for a command: does nothing if it has ended. Resolves when it was sent, to whether it was; `collect` tells
   * what came of it.
   *
   * @throws `COMMAND_NOT_FOUND`.
   */
  interrupt(id: string, commandId: number): Promise<boolean>;

  /** The commands that were run in a terminal, by callers and by people, oldest first: the newest, or those after one. */
  commands(id: string, request?: ListCommands): Promise<CommandRecord[]>;

  /** One command, without its output. @throws `COMMAND_NOT_FOUND`. */
  command(id: string, commandId: number): Promise<CommandRecord>;

  /**
   * Reads the output of one command as `read` does that of a terminal: its lines are numbered from 0, rendered on
   * their own.
   *
   * @throws `COMMAND_NOT_FOUND`.
   */
  readCommand(id: string, commandId: number, request?: ReadOutput, options?: WaitOptions): Promise<OutputPage>;

  /**
   * Waits for something to happen in a terminal: ends at the first that does, or when the program has ended or time is
   * up, and says which.
   *
   * @throws `LIMIT_REACHED` if too many wait already, `COMMAND_NOT_FOUND`, `UNSUPPORTED_PLATFORM` for `input` and
   * `port` where the system does not tell what programs do.
   */
  wait(id: string, request?: WaitFor, options?: WaitOptions): Promise<WaitResult>;

  /** Numbers over all terminals, and what does not work. */
  summary(): Promise<ManagerSummary>;

  /**
   * Lets go: nothing more can be asked of this manager. Where the terminals are held by another process they go
   * on; where they are held by this one they are ended as by `shutdown`.
   */
  close(): Promise<void>;

  /**
   * Ends all terminals, within `graceMs`, and refuses new ones. Safe to call twice; called again with 0, it
   * ends at once by SIGKILL what was given time.
   */
  shutdown(graceMs?: number): Promise<void>;
}
