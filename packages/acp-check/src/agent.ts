/**
 * An ACP agent without a model. At the first prompt, it runs the cases against the client that started it, reports each
 * verdict, and writes a report. Implements the protocol, and is independent of the rules.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Case, CasePhase } from './case.js';
import { LOST_CASES } from './cases/lost.js';
import type { IncomingCall } from './peer.js';
import { isObject, Peer } from './peer.js';
import { writeReport } from './report.js';
import type { Report } from './report.js';
import { runCases, verdictOf } from './runner.js';
import type { RunContext } from './runner.js';
import { CaseContext } from './case-context.js';
import type { Verdict } from './verdict.js';
import { VERSION } from './version.js';

const PROTOCOL_VERSION = 1;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
/** Time after which no further case starts, to bound the duration if the client never responds. */
const BUDGET_MS = 120_000;

export interface CheckAgentOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The path of the report. */
  readonly report: string;
  readonly cases: readonly Case[];
  /** Whether to exit in the middle of the turn, after the commands that `lost` cases leave behind have been started. */
  readonly dies: boolean;
  /** Time that a case waits for a response or a condition. */
  readonly timeoutMs: number;
}

/** Serves until the client closes the connection (`closed`) or the agent must exit (`dead`). */
export function serveCheck(options: CheckAgentOptions): Promise<'closed' | 'dead'> {
  return new CheckAgent(options).served;
}

class CheckAgent {
  readonly served: Promise<'closed' | 'dead'>;
  readonly #options: CheckAgentOptions;
  readonly #peer: Peer;
  readonly #directory: string;
  readonly #stop = new AbortController();
  readonly #sessions = new Map<string, string>();
  #capabilities: Record<string, unknown> = {};
  #report: Report = { client: null, servesTerminals: false, stage: 'came', verdicts: [], left: [] };
  #isCancelled = false;
  #die: () => void = () => {};

  constructor(options: CheckAgentOptions) {
    this.#options = options;
    // Placed next to the report, so that the checker can remove it if this process cannot.
    this.#directory = mkdtempSync(join(dirname(options.report), 'cases-'));
    this.#peer = new Peer(options.input, options.output, (call) => this.#serve(call));
    const dead = new Promise<'dead'>((resolve) => (this.#die = () => resolve('dead')));
    const closed = this.#peer.closed.then(() => 'closed' as const);
    this.served = Promise.race([dead, closed]).finally(() => rmSync(this.#directory, { recursive: true, force: true }));
  }

  #serve({ id, method, params }: IncomingCall): void {
    const given = isObject(params) ? params : {};
    if (method === 'session/cancel') this.#cancel();
    if (id === undefined) return;
    if (method === 'initialize') this.#peer.reply(id, { result: this.#initialize(given) });
    else if (method === 'authenticate') this.#peer.reply(id, { result: {} });
    else if (method === 'session/new') this.#peer.reply(id, { result: this.#openSession(given) });
    else if (method === 'session/prompt') void this.#prompt(id, given);
    else this.#peer.reply(id, { error: { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` } });
  }

  #cancel(): void {
    this.#isCancelled = true;
    this.#stop.abort('the turn was cancelled');
  }

  #initialize({ clientCapabilities, clientInfo }: Record<string, unknown>): object {
    this.#capabilities = isObject(clientCapabilities) ? clientCapabilities : {};
    const client = isObject(clientInfo)
      ? { name: String(clientInfo['name']), version: String(clientInfo['version']) }
      : null;
    this.#keep({ client, servesTerminals: Boolean(this.#capabilities['terminal']) });
    const agentInfo = { name: 'acp-check', title: 'ACP check', version: VERSION };
    return { protocolVersion: PROTOCOL_VERSION, agentCapabilities: {}, authMethods: [], agentInfo };
  }

  #openSession({ cwd }: Record<string, unknown>): object {
    const sessionId = `check-${randomUUID()}`;
    this.#sessions.set(sessionId, typeof cwd === 'string' ? cwd : process.cwd());
    return { sessionId };
  }

  async #prompt(id: string | number | null, { sessionId }: Record<string, unknown>): Promise<void> {
    const sessionDirectory = this.#sessions.get(String(sessionId));
    if (sessionDirectory === undefined) {
      return this.#peer.reply(id, { error: { code: INVALID_PARAMS, message: 'unknown session' } });
    }
    const { timeoutMs } = this.#options;
    const environment = { sessionDirectory, timeoutMs, directory: this.#directory, capabilities: this.#capabilities };
    if (this.#report.stage === 'came') await this.#turn({ ...environment, sessionId: String(sessionId) });
    if (this.#options.dies) return this.#die();
    this.#peer.reply(id, { result: { stopReason: this.#isCancelled ? 'cancelled' : 'end_turn' } });
  }

  async #turn(environment: RunContext['environment']): Promise<void> {
    this.#keep({ stage: 'prompted' });
    const scene: RunContext = { peer: this.#peer, environment, stop: this.#stop.signal };
    setTimeout(() => this.#stop.abort('the time budget was used up'), BUDGET_MS).unref();
    if (!this.#report.servesTerminals) this.#stop.abort('the client does not announce terminal support');
    const tell = (verdict: Verdict) => this.#sendReport(environment.sessionId, verdict);
    if (this.#options.dies) await this.#leave('lost', scene);
    else {
      const judged = await runCases(this.#at('turn'), scene, tell);
      this.#keep({ verdicts: [...judged, ...(await runCases(this.#at('last'), scene, tell))] });
      await this.#leave('after', scene);
    }
    this.#keep({ stage: 'finished' });
  }

  #at(moment: CasePhase): readonly Case[] {
    return this.#options.cases.filter((one) => (one.moment ?? 'turn') === moment);
  }

  /** Starts the commands that must not outlive the connection. */
  async #leave(moment: 'after' | 'lost', { peer, environment, stop }: RunContext): Promise<void> {
    const chosen = LOST_CASES.filter((one) => one.moment === moment && this.#options.cases.includes(one));
    for (const one of stop.aborted ? [] : chosen) {
      try {
        const pids = [...(await one.leave(new CaseContext(peer, environment)))];
        this.#keep({ left: [...this.#report.left, { name: one.name, pids }] });
      } catch (error) {
        this.#keep({ verdicts: [...this.#report.verdicts, verdictOf(one, 'fail', (error as Error).message, 0)] });
      }
    }
  }

  #keep(change: Partial<Report>): void {
    this.#report = { ...this.#report, ...change };
    writeReport(this.#options.report, this.#report);
  }

  #sendReport(sessionId: string, verdict: Verdict): void {
    this.#keep({ verdicts: [...this.#report.verdicts, verdict] });
    const { name, outcome, seen } = verdict;
    const text = `${outcome === 'fail' ? 'FAIL' : outcome} ${name}${seen && `: ${seen}`}\n`;
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
    this.#peer.notify('session/update', { sessionId, update });
  }
}
