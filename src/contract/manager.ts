/**
 * Defines the manager interface that every API layer uses: all operations on terminals. Its methods are asynchronous
 * and use plain data, so that an implementation can forward them to another process.
 */
import type { Caller } from './caller.js';
import type {
  CollectCommand,
  CommandRecord,
  CommandResult,
  ExecCommand,
  IntegrateShell,
  ListCommands,
  ShellSnapshot,
  NestedShell,
  WaitFor,
  WaitResult,
} from './command.js';
import type { Controlled, ControlTerminal } from './control.js';
import type { TerminalEvent } from './event.js';
import type { ListOverview, OverviewTerminal } from './overview.js';
import type { Viewer } from './presence.js';
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
import type { ReadTrack, TrackPage } from './recording.js';
import type { AnswerQuestion } from './waiting.js';
import type { WatchedEvent, WatchTerminals } from './watch.js';

/** Figures for health checks and metrics. */
export interface ManagerSummary {
  readonly activeTerminals: number;
  readonly exitedTerminals: number;
  readonly lostTerminals: number;
  /** Number of terminals created since the manager started. */
  readonly createdTotal: number;
  /** Number of bytes that programs wrote since the manager started. */
  readonly outputBytesTotal: number;
  /** Number of bytes typed into terminals since the manager started. */
  readonly inputBytesTotal: number;
  /** Number of requests currently waiting for output, a command or any other condition. */
  readonly waitingReads: number;
  /** Bytes of history currently held in memory, as counted by the manager. */
  readonly historyBytes: number;
  /** Bytes of history on disk. */
  readonly diskBytes: number;
  /** Messages about hosts that are not responding and resources that cannot be used. Empty if there is no problem. */
  readonly problems: readonly string[];
  /**
   * Whether a host process is not responding. In that case, its figures are missing, or are the last ones that it
   * reported.
   */
  readonly isIncomplete: boolean;
}

/** A stream of events from one terminal. The subscriber pulls events at its own pace. */
export interface Subscription extends AsyncIterable<TerminalEvent> {
  /** Ends the stream and its iterator at once. Safe to call twice. */
  close(): void;
}

/** A stream of events about all terminals. The watcher pulls events at its own pace. */
export interface Watch extends AsyncIterable<WatchedEvent> {
  /** The cursor that a caller can continue from: after all events delivered so far; at first, where the watch began. */
  readonly cursor: string;
  /** Ends the stream and its iterator at once. Safe to call twice. */
  close(): void;
}

/** Options of calls that may wait. */
export interface WaitOptions {
  /** Ends the wait, but never the program. The call then resolves with what is known so far. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of calls that must take effect only once. */
export interface OnceOptions extends WaitOptions {
  /**
   * Idempotency key, a UUID. If the same call is repeated with the same key, only the first call has an effect.
   * `create` uses the key as the id of the new terminal. For input, the last hundred keys are remembered.
   */
  readonly key?: string | undefined;
}

/** Options of calls that only the holder of a terminal may make while it is held. */
export interface HoldOptions {
  /** The holder's token; see `control`. Each call with it renews the hold. */
  readonly hold?: string | undefined;
}

/** Options of `subscribe`. */
export interface SubscribeOptions {
  /**
   * Shows the subscriber to others as a viewer, and sends it questions and viewers: the current ones when it subscribes
   * and when a lost connection to a host is restored, and every later change.
   */
  readonly viewer?: Viewer | undefined;
}

/** Options of calls that are recorded with their caller. */
export interface ByOptions {
  /** Default: the user of this process, with the library as the interface. */
  readonly by?: Caller | undefined;
}

/** Options of `create`. */
export interface CreateOptions extends OnceOptions, ByOptions {}

/** The position of an input among the inputs of one writer. */
export interface InputOrder {
  readonly writer: string;
  readonly seq: number;
}

/** Options of `write`. */
export interface WriteOptions extends OnceOptions, HoldOptions, ByOptions {
  /**
   * Types the input only if its number is higher than the numbers of all earlier inputs of this writer. For each
   * terminal, the last hundred writers are remembered.
   */
  readonly order?: InputOrder | undefined;
}

/** Options of `exec`. */
export interface ExecOptions extends OnceOptions, HoldOptions, ByOptions {
  /** The state that the shell must be in when the command is typed. If it is not, nothing is typed. */
  readonly place?: ShellSnapshot | undefined;
}

/**
 * Holds terminals. Every method that takes an id throws `TERMINAL_NOT_FOUND` for an unknown one. Every method throws
 * `INVALID_INPUT` for arguments that do not match their schema. If terminals are held by host processes, every method
 * except `close` can also throw `HOST_UNRESPONSIVE`, `HOST_LOST` or `HOST_FAILED`.
 */
export interface TerminalManager {
  /**
   * Starts a program in a new terminal.
   *
   * @param waiting - `key` is the idempotency key. `signal` cancels a pending approval; it does not end a terminal that
   * has started.
   * @throws `INVALID_INPUT` if the shell, program or directory cannot be used (the details name it), `NAME_TAKEN` if a
   * running terminal has the name, `LIMIT_REACHED` if there are too many terminals, `SPAWN_FAILED` if the system
   * refuses to start the program, `SHUTTING_DOWN` after `shutdown`.
   */
  create(options?: CreateTerminal, waiting?: CreateOptions): Promise<TerminalDetail>;

  /**
   * Lists all terminals, or those with the given name or labels, oldest first. Includes ended terminals that are still
   * readable. For a host process that is not responding, a list without a filter contains the terminals that the host
   * last reported; a filtered list contains none of them.
   */
  list(request?: ListTerminals): Promise<TerminalSummary[]>;

  /**
   * Returns all details of a terminal.
   *
   * @param idOrName - The id or name of a terminal. If several terminals have the name, the running one is
   * returned, otherwise the newest. All other methods require the `id` that this method returns.
   */
  get(idOrName: string): Promise<TerminalDetail>;

  /**
   * Changes the name and labels of a terminal, running or ended.
   *
   * @throws `NAME_TAKEN` if the terminal is running and another running terminal has the name.
   */
  update(id: string, change: UpdateTerminal): Promise<TerminalDetail>;

  /**
   * Types into a terminal. Resolves when the input is queued. Input is delivered completely and in order, as fast as
   * the program reads it.
   *
   * @throws `TERMINAL_INACTIVE` if the program has ended, `PAYLOAD_TOO_LARGE` if the input exceeds
   * TENACITTY_MAX_INPUT_BYTES, `LIMIT_REACHED` if too much input is already queued.
   */
  write(id: string, input: TerminalInput, options?: WriteOptions): Promise<void>;

  /**
   * Reads lines of history. With `timeoutMs`, waits for new output first. Pure: consumes nothing.
   *
   * @throws `LIMIT_REACHED` if too many reads are already waiting.
   */
  read(id: string, request?: ReadOutput, options?: WaitOptions): Promise<OutputPage>;

  /**
   * Searches the history on disk, in memory and on the screen, line by line, for a string or a regular expression.
   * Stops when it has found enough matches or after ten seconds, and reports how far it got. Pure: consumes nothing.
   *
   * @throws `COMMAND_NOT_FOUND` if the terminal has no such command, `LIMIT_REACHED` if too many requests are already
   * waiting, `READ_FAILED` if the output cannot be read.
   */
  search(id: string, request: SearchOutput, options?: WaitOptions): Promise<SearchResult>;

  /** Returns how much output a terminal has produced and how much of it is held. */
  stats(id: string): Promise<TerminalStats>;

  /**
   * Returns when a part of the output was written, and the sizes of the screen meanwhile: at most a few thousand times
   * at once. Together with `subscribe`, this is a recording of the terminal.
   *
   * @throws `INVALID_INPUT` if `fromOffset` is beyond the terminal's output.
   */
  track(id: string, request?: ReadTrack): Promise<TrackPage>;

  /** Returns the screen as a person would see it now. */
  screen(id: string, format?: 'text' | 'ansi'): Promise<TerminalScreen>;

  /**
   * Returns the snapshot that a new subscriber needs in order to interpret the output starting at `offset`; see
   * `subscribe`.
   */
  snapshot(id: string): Promise<TerminalSnapshot>;

  /**
   * Resizes the screen and notifies the program. If several sizes are requested at the same time, only the last may
   * take effect.
   *
   * @throws `TERMINAL_INACTIVE` if the program has ended.
   */
  resize(id: string, size: TerminalSize, options?: HoldOptions): Promise<void>;

  /**
   * Holds a terminal, or hands it back. While one caller holds it, `write`, `exec`, `integrate` and `resize` from all
   * other callers fail with `TERMINAL_HELD`. `take` always succeeds; the previous holder receives a `control` event.
   *
   * @throws `TERMINAL_INACTIVE` if the program has ended, `TERMINAL_HELD` if a caller releases a terminal that another
   * caller holds.
   */
  control(id: string, request: ControlTerminal, options?: HoldOptions & ByOptions): Promise<Controlled>;

  /**
   * Reports that the holder's client has drawn the output up to this offset; null means that it no longer reports this.
   * After the first report, the program waits while more than 256 KiB of its output has not been drawn, but for at most
   * ten seconds if the client makes no call. Does nothing if the terminal is not held.
   *
   * @throws `TERMINAL_HELD` if another caller holds the terminal.
   */
  drawn(id: string, offset: number | null, options?: HoldOptions): Promise<void>;

  /** Sends a signal, without ending the terminal. @throws `TERMINAL_INACTIVE` if the program has ended. */
  signal(id: string, request: SendSignal): Promise<void>;

  /** Discards all history held so far. Line numbers and offsets continue from their current values. */
  clear(id: string): Promise<void>;

  /**
   * Ends the program and every process that it started, and waits until they have exited. The terminal stays readable.
   * If the program has already ended, ends only the processes that it left behind.
   *
   * @throws `KILL_FAILED` if a process does not exit.
   */
  kill(id: string, request?: KillTerminal): Promise<void>;

  /** Does what `kill` does, then deletes the terminal and frees its resources. */
  remove(id: string, request?: KillTerminal): Promise<void>;

  /**
   * Streams a terminal's output from an offset (default: the current end). Each byte is delivered once, in order. If
   * the subscriber falls so far behind that output is no longer held, it receives a `gap` event.
   */
  subscribe(id: string, fromOffset?: number, options?: SubscribeOptions): Promise<Subscription>;

  /**
   * Runs a command in a terminal's shell. Waits until the command ends or asks for input, or until the timeout expires.
   * The command continues after a timeout; `collect` returns the rest. If the shell was still starting and the command
   * did not start before the timeout, it never runs.
   *
   * @throws `TERMINAL_BUSY` if a command is already running (the details identify it and its state) or the shell is not
   * at `place`, `NOT_INTEGRATED` if no shell with shell integration is running in the terminal, `TERMINAL_INACTIVE` if
   * the program has ended, `LIMIT_REACHED` if too many requests are already waiting.
   */
  exec(id: string, request: ExecCommand, options?: ExecOptions): Promise<CommandResult>;

  /**
   * Makes `exec` run in the nested shell or REPL that a running command opened (`ssh`, `sudo -s`, `docker exec`,
   * `python3`), until that shell ends. Types into the terminal. If the nested shell is already integrated, returns its
   * description.
   *
   * @throws `NOT_INTEGRATED` if the terminal has no nested shell that can be integrated (the details describe what was
   * found), `TERMINAL_INACTIVE` if the program has ended, `WRITE_FAILED` if the integration could not be passed to the
   * shell, `LIMIT_REACHED` if too many requests are already waiting.
   */
  integrate(id: string, request?: IntegrateShell, options?: WaitOptions & HoldOptions): Promise<NestedShell>;

  /**
   * Returns the state and output of a command, after waiting as requested.
   *
   * @throws `COMMAND_NOT_FOUND` if the terminal has no such command, `LIMIT_REACHED` if too many requests are already
   * waiting.
   */
  collect(id: string, commandId: number, request?: CollectCommand, options?: WaitOptions): Promise<CommandResult>;

  /**
   * Sends the terminal's interrupt key, usually Ctrl-C, to a command. Resolves to true if it was sent, or to false if
   * the command had already ended. Use `collect` to see the effect.
   *
   * @throws `COMMAND_NOT_FOUND` if the terminal has no such command.
   */
  interrupt(id: string, commandId: number): Promise<boolean>;

  /**
   * Lists a terminal's commands, whether callers started them or people typed them. Returns the newest commands, or
   * those after a given command, in order from oldest to newest. With `text` or `regex`, returns only commands whose
   * text matches.
   *
   * @throws `INVALID_INPUT` if the expression is invalid.
   */
  commands(id: string, request?: ListCommands): Promise<CommandRecord[]>;

  /** Returns one command without its output. @throws `COMMAND_NOT_FOUND` if the terminal has no such command. */
  command(id: string, commandId: number): Promise<CommandRecord>;

  /**
   * Reads the output of one command, as `read` reads a terminal's output. The lines are rendered separately and
   * numbered from 0.
   *
   * @throws `COMMAND_NOT_FOUND` if the terminal has no such command.
   */
  readCommand(id: string, commandId: number, request?: ReadOutput, options?: WaitOptions): Promise<OutputPage>;

  /**
   * Waits for an event in a terminal. Resolves at the first condition that is met, when the program ends, or when the
   * timeout expires, and reports which of these has happened.
   *
   * @throws `LIMIT_REACHED` if too many requests are already waiting, `COMMAND_NOT_FOUND` if the terminal has no such
   * command, `UNSUPPORTED_PLATFORM` for `input` and `port` on systems that do not report what programs do.
   */
  wait(id: string, request?: WaitFor, options?: WaitOptions): Promise<WaitResult>;

  /**
   * Types the answer to a program's current question. A repeated call is rejected, because the question has been
   * answered. No part of the answer is logged or kept.
   *
   * @throws `NOT_WAITING` if the program is no longer asking exactly this question; the details describe the current
   * state. In that case, nothing was typed. `TERMINAL_INACTIVE` if the program has ended.
   */
  answer(id: string, request: AnswerQuestion, options?: ByOptions): Promise<void>;

  /**
   * Streams the events of all terminals, including terminals created later, from now on or after a cursor. Each event
   * is delivered once; the events of one terminal are in order. If events may be missing, because the watcher has
   * fallen behind or a host was lost, the watcher receives a `reset` event and should then read the state of all
   * terminals again. Starts no host.
   */
  watch(request?: WatchTerminals): Promise<Watch>;

  /** Returns what an overview page shows about each terminal, oldest first. */
  overview(request?: ListOverview): Promise<OverviewTerminal[]>;

  /** Returns figures across all terminals, and current problems. */
  summary(): Promise<ManagerSummary>;

  /**
   * Releases this manager, which cannot be used afterwards. Terminals held by host processes keep running; `close` ends
   * terminals held by this process, as `shutdown` does.
   */
  close(): Promise<void>;

  /**
   * Ends all terminals within `graceMs` and refuses new ones. Safe to call twice. A second call with 0 immediately
   * sends SIGKILL to all processes that are still running.
   */
  shutdown(graceMs?: number): Promise<void>;
}
