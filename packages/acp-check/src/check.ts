/**
 * Checks a client: starts it with the checking agent in place of its own, waits for the agent's report, and judges from
 * outside what remains after the connection has ended.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withAgent } from './agent-command.js';
import type { Case } from './case.js';
import { ClientProcess } from './client-process.js';
import { endForGood, isRunning } from './processes.js';
import { readReport } from './report.js';
import type { Report } from './report.js';
import { verdictOf } from './runner.js';
import type { Verdict } from './verdict.js';

export interface CheckOptions {
  /** The client's command line, with a placeholder for the agent. */
  readonly client: readonly string[];
  /**
   * The program that serves the agent, and its arguments. Arguments for the path of the report and for exiting early
   * are appended.
   */
  readonly agent: readonly string[];
  readonly cases: readonly Case[];
  /** Timeout for the whole check. */
  readonly timeoutMs: number;
  /** Ends the check when aborted. */
  readonly signal: AbortSignal;
  /**
   * Time that a client has to end on its own after its turn, and that its processes have to disappear. Default: 10 s.
   */
  readonly graceMs?: number;
  /** Called for each case as it ends. */
  readonly onVerdict?: (verdict: Verdict) => void;
  /** Called once if the client has not started its agent for a while. */
  readonly onSilence?: () => void;
  /** Called with the client's output. */
  readonly onClientOutput?: (bytes: Buffer) => void;
}

export interface CheckResult {
  readonly client: Report['client'];
  /**
   * `checked`, or the reason why nothing was checked: the client never started the agent, never sent a prompt, or has
   * no terminals.
   */
  readonly came: 'checked' | 'never-came' | 'never-prompted' | 'no-terminals';
  /** Whether the turn was completed. */
  readonly isComplete: boolean;
  /** One verdict for each case. */
  readonly verdicts: readonly Verdict[];
  /** The end of the client's output. */
  readonly lastWords: string;
}

const LOOK_MS = 100;
const GRACE_MS = 10_000;
/**
 * Time after which the person who is waiting is told that the client has not started its agent. A client that has to be
 * downloaded first takes a while.
 */
const SILENCE_MS = 5000;

export async function checkClient(options: CheckOptions): Promise<CheckResult> {
  const directory = mkdtempSync(join(placeForAgent(), 'acp-check-'));
  try {
    const deadline = Date.now() + options.timeoutMs;
    const first = await new Turn(options, join(directory, 'first.json'), deadline).run();
    const lost = options.cases.filter(({ moment }) => moment === 'lost');
    if (first.came !== 'checked' || lost.length === 0) return first;
    const second = await new Turn({ ...options, cases: lost }, join(directory, 'second.json'), deadline).run(true);
    const verdicts = first.verdicts.filter(({ name }) => !lost.some((one) => one.name === name));
    return { ...first, verdicts: [...verdicts, ...second.verdicts] };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns a directory for the agent whose path is a single word in every shell. */
function placeForAgent(): string {
  return /^[\w/.-]+$/.test(tmpdir()) ? tmpdir() : '/tmp';
}

/** Runs the client once. */
class Turn {
  readonly #options: CheckOptions;
  readonly #file: string;
  readonly #deadline: number;
  readonly #reported = new Set<string>();

  constructor(options: CheckOptions, file: string, deadline: number) {
    [this.#options, this.#file, this.#deadline] = [options, file, deadline];
  }

  /**
   * Runs the client.
   *
   * @param dies - Whether the agent exits in the middle of the turn.
   */
  async run(dies = false): Promise<CheckResult> {
    const { client: given, agent, onClientOutput = () => {} } = this.#options;
    const words = [...agent, '--report', this.#file, ...(dies ? ['--dies'] : [])];
    const client = await ClientProcess.start(withAgent(given, words, join(this.#file, '..')), onClientOutput);
    try {
      await this.#untilFinished(client);
      const isAgentGone = dies || (await this.#untilLeft(client));
      await this.#untilReaped();
      return this.#result(client.lastWords, isAgentGone);
    } finally {
      client.end();
      endForGood(this.#left().flatMap(({ pids }) => pids));
    }
  }

  async #untilFinished(client: ClientProcess): Promise<void> {
    const silence = Date.now() + SILENCE_MS;
    let isTold = false;
    while (readReport(this.#file)?.stage !== 'finished' && client.isRunning && !this.#isOver()) {
      this.#tell();
      if (!isTold && Date.now() > silence) {
        isTold = true;
        if (readReport(this.#file) === undefined) this.#options.onSilence?.();
      }
      await client.ended(LOOK_MS);
    }
    this.#tell();
  }

  /** Waits until the client has ended. Returns whether it has, on its own or when it was asked to. */
  async #untilLeft(client: ClientProcess): Promise<boolean> {
    if (!this.#isOver()) await client.ended(this.#graceMs);
    return client.leave();
  }

  get #graceMs(): number {
    return this.#options.graceMs ?? GRACE_MS;
  }

  #isOver(): boolean {
    return this.#options.signal.aborted || Date.now() > this.#deadline;
  }

  async #untilReaped(): Promise<void> {
    const deadline = Date.now() + this.#graceMs;
    const pids = this.#left().flatMap((one) => one.pids);
    while (pids.some(isRunning) && Date.now() < deadline && !this.#options.signal.aborted) await pause(LOOK_MS);
  }

  #left(): Report['left'] {
    return readReport(this.#file)?.left ?? [];
  }

  #tell(): void {
    const verdicts = readReport(this.#file)?.verdicts ?? [];
    for (const verdict of verdicts.filter(({ name }) => !this.#reported.has(name))) {
      this.#reported.add(verdict.name);
      this.#options.onVerdict?.(verdict);
    }
  }

  #result(lastWords: string, isAgentGone: boolean): CheckResult {
    const report = readReport(this.#file);
    const isComplete = report?.stage === 'finished';
    const verdicts = this.#options.cases.map((one) => this.#verdictOn(one, report, isAgentGone));
    return { client: report?.client ?? null, came: howItCame(report), isComplete, verdicts, lastWords };
  }

  #verdictOn(one: Case, report: Report | undefined, isAgentGone: boolean): Verdict {
    const judged = report?.verdicts.find(({ name }) => name === one.name);
    if (judged) return judged;
    const left = report?.left.find(({ name }) => name === one.name);
    if (!left) return verdictOf(one, 'skipped', 'the turn ended before this case', 0);
    if (!isAgentGone) return verdictOf(one, 'skipped', 'the client did not end when it received SIGTERM', 0);
    const running = left.pids.filter(isRunning);
    if (running.length === 0) return verdictOf(one, 'pass', '', 0);
    return verdictOf(one, 'fail', `${running.length} of its ${left.pids.length} processes were still running`, 0);
  }
}

function howItCame(report: Report | undefined): CheckResult['came'] {
  if (!report) return 'never-came';
  if (!report.servesTerminals) return 'no-terminals';
  return report.stage === 'came' ? 'never-prompted' : 'checked';
}
