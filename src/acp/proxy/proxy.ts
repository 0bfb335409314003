/**
 * Connects an editor and an agent. Passes messages on byte for byte, except for the few lines that it changes or
 * responds to, and ends when the agent ends.
 */
import type { Readable, Writable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import type { CommandPolicy } from '../../access/policy/command-policy.js';
import type { TerminalLabels } from '../../contract/labels.js';
import type { TerminalManager } from '../../contract/manager.js';
import type { TerminalExit } from '../display.js';
import { RenderedOutput } from '../rendered-output.js';
import { AcpTerminals } from '../terminals.js';
import { AgentLineHandler } from './agent-line-handler.js';
import type { ProxiedAgent } from './proxied-agent.js';
import { EditorLineHandler } from './editor-line-handler.js';
import type { McpServer } from './editor-line-handler.js';
import { EmbeddedTerminals } from './embedded-terminals.js';
import { LineSplitter } from './line-splitter.js';
import { LineWriter } from './line-writer.js';
import { Sessions } from './sessions.js';
import { TerminalRequests } from './terminal-requests.js';

export interface ProxyOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly agent: ProxiedAgent;
  readonly manager: TerminalManager;
  readonly policy?: CommandPolicy | null;
  /** Labels for each terminal. Default: none. */
  readonly labels?: TerminalLabels;
  /** Whether to serve terminals even if the editor has its own. Default: false. */
  readonly force?: boolean;
  /** Whether to pass on the agent's updates about terminals unchanged. Default: false. */
  readonly rawUpdates?: boolean;
  /** An MCP server to add to the editor's servers in each session. Default: none. */
  readonly mcpServer?: McpServer | null;
  /** Abort this to end the agent. The abort reason is the signal to send. */
  readonly leaving?: AbortSignal;
}

/** Time that an agent may run after the editor's input has ended, before the proxy ends it. */
const LEAVE_GRACE_MS = 5000;
/**
 * How long an ended agent's output may be silent, while other processes hold it open or the editor does not read,
 * before the proxy stops waiting for more.
 */
const SILENCE_MS = 1000;
/** Maximum number of bytes of text that is shown in place of a terminal. */
const SHOWN_BYTES = 32 << 10;
/**
 * Maximum number of bytes of responses that the agent has not read. Beyond it, the proxy reads no more of the agent's
 * requests.
 */
const MAX_ANSWER_BACKLOG = 16 << 20;

/** Resolves to the agent's exit once all its output has been read and its terminals have been removed. */
export async function proxy(options: ProxyOptions): Promise<TerminalExit> {
  const { agent, leaving } = options;
  const ended = new AbortController();
  const toAgent = new LineWriter(agent.stdin);
  const leave = (): void => {
    toAgent.end();
    void endLate(agent, ended.signal);
  };
  const toEditor = new LineWriter(options.output, leave);
  const lines = new LineRouter(options, toAgent, toEditor);
  void aborted(leaving).then(() => agent.endBy(leaving!.reason as NodeJS.Signals));
  void lines.carryToAgent().then(leave);
  const carried = lines.carryToEditor();
  const exit = await agent.exited;
  ended.abort();
  await agent.end();
  await Promise.race([carried.then(() => toEditor.flushed()), silence(agent, toEditor), late(leaving)]);
  await lines.close();
  return exit;
}

/** Processes the lines of both directions. */
class LineRouter {
  readonly #options: ProxyOptions;
  readonly #toAgent: LineWriter;
  readonly #toEditor: LineWriter;
  readonly #editor: EditorLineHandler;
  readonly #agent: AgentLineHandler;
  readonly #terminals: AcpTerminals;
  readonly #embedded: EmbeddedTerminals;

  constructor(options: ProxyOptions, toAgent: LineWriter, toEditor: LineWriter) {
    const { manager, policy = null, labels = {}, force = false, mcpServer = null, rawUpdates = false } = options;
    this.#options = options;
    this.#toAgent = toAgent;
    this.#toEditor = toEditor;
    this.#embedded = new EmbeddedTerminals({
      dialect: () => this.#editor.dialect,
      seen: (terminalId) => new RenderedOutput(manager, terminalId, SHOWN_BYTES),
      send: (line) => toEditor.insert(line),
      isBehind: () => toEditor.isBehind,
    });
    this.#terminals = new AcpTerminals({ manager, policy, labels, display: this.#embedded });
    this.#terminals.endAbandoned();
    const sessions = new Sessions({
      openSession: (sessionId, session) => this.#terminals.openSession(sessionId, session),
      closeSession: (sessionId) => this.#closeSession(sessionId),
    });
    this.#editor = new EditorLineHandler({ force, mcpServer, sessions });
    const requests = new TerminalRequests(this.#terminals, (line) => toAgent.insert(line), this.#embedded);
    this.#agent = new AgentLineHandler({
      ...{ editor: this.#editor, sessions, requests },
      embedded: rawUpdates ? null : this.#embedded,
    });
  }

  /** Resolves when the editor's input has ended. */
  carryToAgent(): Promise<void> {
    const take = this.#editor.take.bind(this.#editor);
    return pump({ from: this.#options.input, to: this.#toAgent, take });
  }

  /** Resolves when the agent's output has ended. */
  carryToEditor(): Promise<void> {
    const take = this.#agent.take.bind(this.#agent);
    // An agent that does not read the responses to its requests must not send more requests.
    const held = (): Promise<void> => this.#toAgent.below(MAX_ANSWER_BACKLOG);
    return pump({ from: this.#options.agent.stdout, to: this.#toEditor, take, held });
  }

  async #closeSession(sessionId: string): Promise<void> {
    this.#embedded.closeSession(sessionId);
    await this.#terminals.closeSession(sessionId);
  }

  async close(): Promise<void> {
    this.#embedded.close();
    await this.#terminals.close();
  }
}

interface PumpOptions {
  readonly from: Readable;
  readonly to: LineWriter;
  /** Returns the line to pass on, or null to drop the line. */
  readonly take: (line: Buffer) => Buffer | null;
  /** Resolves when more may be read. Called between chunks. Default: resolves immediately. */
  readonly held?: () => Promise<void>;
}

/**
 * Copies one direction line by line, with back-pressure. Resolves when the input has ended or can no longer be read.
 */
async function pump({ from, to, take, held }: PumpOptions): Promise<void> {
  const splitter = new LineSplitter();
  try {
    for await (const chunk of from) {
      to.cork();
      for (const { bytes, isLine, isLineEnd } of splitter.split(chunk as Buffer)) {
        const passed = isLine ? take(bytes) : bytes;
        if (passed !== null) to.pass(passed, isLineEnd);
      }
      to.uncork();
      await to.ready();
      await held?.();
    }
  } catch {
    // A stream that can no longer be read counts as ended.
  }
  for (const { bytes } of splitter.end()) to.pass(bytes, false);
}

async function endLate(agent: ProxiedAgent, ended: AbortSignal): Promise<void> {
  try {
    await after(LEAVE_GRACE_MS, undefined, { signal: ended });
    await agent.end();
  } catch {
    // The agent ended in time.
  }
}

/** Resolves when an ended agent's output has become silent although other processes hold it open. */
async function silence(agent: ProxiedAgent, toEditor: LineWriter): Promise<void> {
  for (let seen = -1; seen !== toEditor.passedBytes || toEditor.isBehind;) {
    seen = toEditor.passedBytes;
    await after(SILENCE_MS);
  }
  agent.stdout.destroy();
}

/** Resolves when the proxy has been told to leave and the editor has had time to read the remaining output. */
async function late(leaving: AbortSignal | undefined): Promise<void> {
  await aborted(leaving);
  await after(SILENCE_MS);
}

/** Resolves when the signal is aborted, or immediately if it already is. */
async function aborted(signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted !== true) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
}
