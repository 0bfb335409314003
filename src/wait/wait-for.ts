/**
 * Waits for an event in a terminal and reports which one occurred: its program has ended, output matches, there is no
 * output, a program is waiting for input, a process is listening on a port, or a command has ended. Changes nothing;
 * sees a terminal only through `WaitTarget`.
 */
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { WaitRequest, WaitResult } from '../contract/command.js';
import { invalidInput, TerminalError } from '../errors.js';
import type { InputProbe } from '../processes/input-probe.js';
import { waitForInput } from '../processes/input-watch.js';
import { HAS_PROCESS_TABLE } from '../processes/process-table.js';
import { withTimeLimit } from './time-limit.js';
import { literalPattern, regexPattern } from './pattern.js';
import type { Pattern } from './pattern.js';
import { OutputSearch } from './output-search.js';
import { Turns } from '../turns.js';

export interface WaitTarget {
  /** Offset of the oldest byte in memory or on disk, and offset after the newest. */
  readonly outputStart: number;
  readonly outputEnd: number;
  readonly isActive: boolean;
  /** Whether all output has arrived. */
  readonly isOver: boolean;
  readonly exit: { readonly exitCode: number | null; readonly signal: string | null } | null;
  /** Returns the offset of the first readable byte at or after `offset`; the end if there is none. */
  readableFrom(offset: number): number;
  /** Returns a copy of the held output starting at `from`, at most `maxBytes`. */
  bytesFrom(from: number, maxBytes: number): Uint8Array;
  /** Resolves when something has happened, or when `signal` aborts. */
  nextChange(signal: AbortSignal): Promise<void>;
  probeInput(): InputProbe;
  /** Returns the TCP ports that its processes are listening on. */
  listeningPorts(): Promise<readonly number[]>;
  /** @throws `COMMAND_NOT_FOUND` if the terminal has no such command. */
  hasCommandEnded(commandId: number): boolean;
}

/** The event that occurred. */
type Outcome = Pick<WaitResult, 'reason'> & Partial<WaitResult>;
/** Resolves when the event has occurred; resolves with null when `signal` aborts. */
type Watch = (signal: AbortSignal) => Promise<Outcome | null>;

/**
 * Waits until the first of the requested events has occurred, the program has ended, or time is up. If `signal` aborts,
 * the result is the same as when time is up.
 *
 * @throws `INVALID_INPUT` for an invalid expression or an offset beyond the output, `COMMAND_NOT_FOUND` if the terminal
 * has no such command, `UNSUPPORTED_PLATFORM` for `input` and `port` if there is no process table.
 */
export async function waitFor(terminal: WaitTarget, request: WaitRequest, signal?: AbortSignal): Promise<WaitResult> {
  const { timeoutMs } = request;
  const search = searchFor(terminal, request);
  const watches = watchesFor(terminal, request, search);
  const deadline = performance.now() + timeoutMs;
  const found = search && (await searchWhatIsThere(terminal, search, timeoutMs, signal));
  const leftMs = Math.max(0, deadline - performance.now());
  const outcome = found ?? (await withTimeLimit(leftMs, signal, (end) => firstOf(watches, end)));
  const timeIsUp: Outcome = { reason: 'timeout', offset: search?.resumeAt ?? terminal.outputEnd };
  const skippedBytes = search?.skippedBytes ?? 0;
  return resultOf(terminal, {
    ...(outcome === null ? timeIsUp : asAskedFor(terminal, request, outcome)),
    skippedBytes,
  });
}

/** When a shell ends, its running command also ends. Of these two events, reports the requested one. */
function asAskedFor(terminal: WaitTarget, { commandId }: WaitRequest, outcome: Outcome): Outcome {
  const isEnd = outcome.reason === 'exit' && commandId !== undefined && terminal.hasCommandEnded(commandId);
  return isEnd ? { reason: 'command' } : outcome;
}

/**
 * Searches the existing output regardless of the timeout, because a caller that does not want to wait is asking about
 * the current state.
 */
function searchWhatIsThere(
  terminal: WaitTarget,
  search: OutputSearch,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Outcome | null> {
  const end = terminal.outputEnd;
  return withTimeLimit(Math.max(timeoutMs, MIN_SEARCH_MS), signal, (late) => searchTo(end, terminal, search, late));
}

function searchFor(terminal: WaitTarget, request: WaitRequest): OutputSearch | null {
  const patterns = patternsOf(request);
  const start = startOf(terminal, request);
  return patterns.length === 0 ? null : new OutputSearch(patterns, start);
}

function patternsOf({ text, regex }: WaitRequest): Pattern[] {
  return [...(text === undefined ? [] : [literalPattern(text)]), ...(regex === undefined ? [] : [regexPattern(regex)])];
}

function startOf({ outputEnd }: WaitTarget, { fromOffset = outputEnd }: WaitRequest): number {
  if (fromOffset <= outputEnd) return fromOffset;
  const expected = `a whole number from 0 to ${outputEnd}, the end of the output`;
  const message = `expected ${expected}, given ${fromOffset}`;
  throw invalidInput({ field: 'fromOffset', message, given: fromOffset, expected });
}

function watchesFor(terminal: WaitTarget, request: WaitRequest, search: OutputSearch | null): Watch[] {
  const { idleMs, input, port, commandId } = request;
  if ((input || port !== undefined) && !HAS_PROCESS_TABLE) throw noProcessTable(input ? 'input' : 'port');
  if (commandId !== undefined) terminal.hasCommandEnded(commandId);
  return [
    (signal) => untilFoundOrExit(terminal, search, signal),
    ...(commandId === undefined ? [] : [(signal: AbortSignal) => untilCommandEnds(terminal, commandId, signal)]),
    ...(idleMs === undefined ? [] : [(signal: AbortSignal) => untilIdle(terminal, idleMs, signal)]),
    ...(input ? [(signal: AbortSignal) => untilInputWait(terminal, signal)] : []),
    ...(port === undefined ? [] : [(signal: AbortSignal) => untilListening(terminal, port, signal)]),
  ];
}

function noProcessTable(what: string): TerminalError {
  const message =
    'This system does not report what the programs of a terminal do, ' + `so a wait for \`${what}\` is not possible.`;
  return new TerminalError('UNSUPPORTED_PLATFORM', message, { platform: process.platform });
}

/** Returns the first outcome; null if `end` aborts before there is one. If a watch fails, the wait fails. */
function firstOf(watches: readonly Watch[], end: AbortSignal): Promise<Outcome | null> {
  return new Promise((resolve, reject) => {
    let left = watches.length;
    for (const watch of watches) {
      watch(end).then((outcome) => {
        left--;
        if (outcome !== null || left === 0) resolve(outcome);
      }, reject);
    }
  });
}

function resultOf(terminal: WaitTarget, outcome: Outcome): WaitResult {
  const { exitCode = null, signal = null } = terminal.exit ?? {};
  return {
    ...{ offset: terminal.outputEnd, match: null, skippedBytes: 0, port: null, waiting: null },
    ...{ isActive: terminal.isActive, exitCode, signal },
    ...outcome,
  };
}

/** Minimum time for searching the existing output. */
const MIN_SEARCH_MS = 1000;
const SLICE_BYTES = 64 << 10;
/** This much new output is searched immediately; less output waits a moment for more. */
const EAGER_BYTES = 256 << 10;
const LOOK_INTERVAL_MS = 10;
/** Output that is this close to being dropped is searched without pauses. */
const NEAR_LOSS_BYTES = 1 << 20;

async function untilFoundOrExit(
  terminal: WaitTarget,
  search: OutputSearch | null,
  signal: AbortSignal,
): Promise<Outcome | null> {
  while (!signal.aborted) {
    // Read them in this order: the last output is available before the end is reported.
    const isEnd = hasEnded(terminal);
    const end = terminal.outputEnd;
    const found = search && (await searchTo(end, terminal, search, signal));
    if (found !== null) return found;
    if (isEnd && !signal.aborted) return { reason: 'exit' };
    if (terminal.outputEnd === end) await nextOutput(terminal, signal);
  }
  return null;
}

function hasEnded({ exit, isOver }: WaitTarget): boolean {
  return exit !== null || isOver;
}

/** Searches for expressions take turns: together, all waits leave other work half of the time. */
const turns = new Turns();

/** Searches the output up to `end` in slices, yielding to other work in between. */
async function searchTo(
  end: number,
  terminal: WaitTarget,
  search: OutputSearch,
  signal: AbortSignal,
): Promise<Outcome | null> {
  for (let searchedTo = search.position; searchedTo < end && !signal.aborted;) {
    const readable = terminal.readableFrom(search.position);
    if (search.position < readable) search.skipTo(readable);
    const { buffer, byteOffset, length } = terminal.bytesFrom(search.position, SLICE_BYTES);
    const bytes = Buffer.from(buffer, byteOffset, length);
    // All remaining output has just been dropped.
    if (bytes.length === 0) return null;
    searchedTo = search.position + bytes.length;
    const step = () => searchSlice(terminal, search, bytes);
    const found = await (search.isCostly ? turns.take(step) : step());
    if (found !== null) return found;
  }
  return null;
}

async function searchSlice(terminal: WaitTarget, search: OutputSearch, bytes: Buffer): Promise<Outcome | null> {
  const began = performance.now();
  const found = search.take(bytes);
  if (found === null) await rest(performance.now() - began, isNearLoss(terminal, search));
  return found;
}

function isNearLoss({ outputStart }: WaitTarget, { position }: OutputSearch): boolean {
  return outputStart > 0 && position - outputStart < NEAR_LOSS_BYTES;
}

/** Gives other work as much time as the search has taken, unless output would be dropped unsearched in the meantime. */
async function rest(tookMs: number, isPressed: boolean): Promise<void> {
  if (tookMs < 1 || isPressed) await nextTurn();
  else await delay(Math.ceil(tookMs));
}

/** Resolves a few milliseconds after the next change, when there is much new output, or when the program has ended. */
async function nextOutput(terminal: WaitTarget, signal: AbortSignal): Promise<void> {
  const { outputEnd } = terminal;
  await terminal.nextChange(signal);
  const due = new AbortController();
  const timer = setTimeout(() => due.abort(), LOOK_INTERVAL_MS);
  const isEnough = (): boolean => hasEnded(terminal) || terminal.outputEnd - outputEnd >= EAGER_BYTES;
  while (!due.signal.aborted && !signal.aborted && !isEnough()) await terminal.nextChange(due.signal);
  clearTimeout(timer);
}

async function untilCommandEnds(terminal: WaitTarget, id: number, signal: AbortSignal): Promise<Outcome | null> {
  while (!signal.aborted) {
    if (terminal.hasCommandEnded(id)) return { reason: 'command' };
    await nextOutput(terminal, signal);
  }
  return null;
}

/** Silence is checked this many times per `idleMs`, so it is detected at most one such step late. */
const IDLE_STEPS = 20;

async function untilIdle(terminal: WaitTarget, idleMs: number, signal: AbortSignal): Promise<Outcome | null> {
  let { outputEnd } = terminal;
  let since = performance.now();
  while (!signal.aborted) {
    const leftMs = since + idleMs - performance.now();
    if (leftMs <= 0) return { reason: 'idle' };
    await pause(Math.min(leftMs, Math.max(idleMs / IDLE_STEPS, LOOK_INTERVAL_MS)), signal);
    if (terminal.outputEnd === outputEnd) continue;
    outputEnd = terminal.outputEnd;
    since = performance.now();
  }
  return null;
}

async function untilInputWait(terminal: WaitTarget, signal: AbortSignal): Promise<Outcome | null> {
  const outputEnd = (): number => terminal.outputEnd;
  const seen = await waitForInput({ outputEnd, probe: () => terminal.probeInput() }, signal);
  return seen && { reason: 'input', waiting: seen.waiting };
}

/** Interval between checks of the ports. */
const PORT_INTERVAL_MS = 100;

async function untilListening(
  terminal: WaitTarget,
  wanted: number | true,
  signal: AbortSignal,
): Promise<Outcome | null> {
  while (!signal.aborted) {
    const port = (await terminal.listeningPorts()).find((one) => wanted === true || one === wanted);
    if (port !== undefined) return { reason: 'port', port };
    await pause(PORT_INTERVAL_MS, signal);
  }
  return null;
}

/** Pauses; returns early if `signal` aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
