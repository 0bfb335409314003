/**
 * Shows the proxy's terminals in tool calls to an editor without terminals. Where the agent refers to such a terminal,
 * the editor receives the terminal's output in `_meta`, if it supports Zed's convention, or otherwise the terminal's
 * text, which is updated while the terminal is running. References to other terminals are passed on unchanged.
 */
import type { ShownTerminal, TerminalDisplay, TerminalExit } from '../display.js';
import type { TerminalDialect } from './editor-line-handler.js';
import { EmbeddedTerminal } from './embedded-terminal.js';
import type { RenderedText } from './embedded-terminal.js';
import type { Edit, Message, JsonPart } from './message.js';
import { terminalIdOf, toolCallOf, updateLine } from './tool-calls.js';
import type { ToolCallPart } from './tool-calls.js';

export interface EmbeddedTerminalsOptions {
  /** Returns what the editor supports. */
  readonly dialect: () => TerminalDialect;
  readonly seen: (terminalId: string) => RenderedText;
  /** Sends a line to the editor. */
  readonly send: (line: Buffer) => void;
  /** Returns whether the editor does not keep up. If so, updates are combined and sent later. */
  readonly isBehind: () => boolean;
}

/** Minimum interval between two updates of one terminal. */
const LIVE_MS = 250;
/** Larger content is not sent repeatedly. */
const MAX_LIVE_CONTENT_BYTES = 256 << 10;
/**
 * Limits for terminals that have ended, beyond which the oldest are dropped. Terminals cannot simply be kept until the
 * agent releases them: an agent may show one late, or may never release it (Kimi Code leaves those open that took too
 * long).
 */
const MAX_ENDED = 1000;
const MAX_ENDED_CHARACTERS = 16 << 20;
/** Maximum number of tool calls that show terminals. Beyond it, the oldest are no longer updated. */
const MAX_TOOL_CALLS = 1000;

/** A tool call whose content, as the editor has received it, contains text in place of terminals. */
interface ToolCall extends Pick<ToolCallPart, 'sessionId' | 'toolCallId'> {
  /** The content's JSON, split where it shows terminals. */
  readonly parts: readonly (string | EmbeddedTerminal)[];
  sentContent: string;
  /** Whether the tool call has ended, so that at most one more update is sent. */
  isLast: boolean;
}

export class EmbeddedTerminals implements TerminalDisplay {
  readonly #options: EmbeddedTerminalsOptions;
  readonly #terminals = new Map<string, EmbeddedTerminal>();
  /** In the order in which they ended or were released. */
  readonly #ended = new Set<EmbeddedTerminal>();
  readonly #toolCalls = new Map<string, ToolCall>();
  /** The tool calls that terminal output is appended to. */
  readonly #appending = new Map<EmbeddedTerminal, ToolCallPart>();
  readonly #timers = new Map<EmbeddedTerminal, NodeJS.Timeout>();
  readonly #updating = new Map<EmbeddedTerminal, Promise<void>>();

  constructor(options: EmbeddedTerminalsOptions) {
    this.#options = options;
  }

  started(shown: ShownTerminal): void {
    const { terminalId } = shown;
    const { seen, dialect } = this.#options;
    this.#terminals.set(terminalId, new EmbeddedTerminal(shown, seen(terminalId), dialect()));
  }

  output(terminalId: string, data: Uint8Array): void {
    const terminal = this.#terminals.get(terminalId);
    if (terminal === undefined) return;
    terminal.take(data);
    this.#schedule(terminal);
  }

  ended(terminalId: string, exit: TerminalExit): void {
    const terminal = this.#terminals.get(terminalId);
    if (terminal === undefined) return;
    terminal.exit = exit;
    this.#schedule(terminal);
    this.#keepForLater(terminal);
  }

  /** Returns the agent's line in the form that the editor should receive. */
  rewrite(message: Message): Buffer {
    const call = toolCallOf(message);
    if (call === undefined) return message.line;
    const edits = call.content === undefined ? [] : this.#embed(call, call.content);
    if (call.hasEnded) this.#endOf(call);
    return edits.length > 0 && message.isWellFormed ? message.edited(edits) : message.line;
  }

  /**
   * Sends the editor everything received so far. Must be awaited before the agent learns of an exit or releases a
   * terminal.
   */
  async flush(terminalId: string): Promise<void> {
    const terminal = this.#terminals.get(terminalId);
    if (terminal !== undefined) await this.#update(terminal);
  }

  /**
   * Handles the release of a terminal, after which no more output follows. Keeps its text for a while, for agents that
   * show it later.
   */
  released(terminalId: string): void {
    const terminal = this.#terminals.get(terminalId);
    if (terminal === undefined) return;
    terminal.takePending();
    this.#keepForLater(terminal);
  }

  /** Stops updates about the session's terminals and drops them. If the agent shows them later, they are unknown. */
  closeSession(sessionId: string): void {
    for (const terminal of this.#terminals.values()) {
      if (terminal.shown.sessionId !== sessionId) continue;
      for (const [key] of this.#callsOf(terminal)) this.#toolCalls.delete(key);
      clearTimeout(this.#timers.get(terminal));
      this.#timers.delete(terminal);
      this.#forget(terminal);
    }
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#terminals.clear();
  }

  #keepForLater(terminal: EmbeddedTerminal): void {
    this.#ended.delete(terminal);
    this.#ended.add(terminal);
    let characters = [...this.#ended].reduce((sum, { size }) => sum + size, 0);
    for (const oldest of this.#ended) {
      if (oldest === terminal || (this.#ended.size <= MAX_ENDED && characters <= MAX_ENDED_CHARACTERS)) return;
      characters -= oldest.size;
      // Send the exit, so that an editor that knows the terminal stops waiting for it.
      this.#append(oldest);
      this.#forget(oldest);
    }
  }

  #forget(terminal: EmbeddedTerminal): void {
    this.#ended.delete(terminal);
    this.#appending.delete(terminal);
    this.#terminals.delete(terminal.shown.terminalId);
  }

  #embed(call: ToolCallPart, content: JsonPart): Edit[] {
    const key = keyOf(call);
    this.#toolCalls.delete(key);
    const found = (content.elements ?? []).flatMap((element) => {
      const terminal = this.#terminals.get(terminalIdOf(element) ?? '');
      return terminal === undefined ? [] : [{ element, terminal }];
    });
    const [first] = found;
    if (first === undefined) return [];
    const meta = this.#options.dialect() === 'meta' ? this.#announce(call, first.terminal) : [];
    const asText = found.filter(({ terminal }) => !this.#appending.has(terminal));
    if (asText.length > 0) this.#remember(key, call, content, asText);
    for (const { terminal } of found) this.#schedule(terminal);
    return [...meta, ...asText.map(({ element, terminal }) => ({ ...element.span, text: terminal.content }))];
  }

  /** Announces the terminal in the tool call that shows it, where editors look for it. */
  #announce(call: ToolCallPart, terminal: EmbeddedTerminal): Edit[] {
    const meta = call.part.member('_meta');
    if (!call.isNew || this.#appending.has(terminal) || meta?.member('terminal_info') !== undefined) return [];
    this.#appending.set(terminal, call);
    const { terminalId, cwd } = terminal.shown;
    const info = JSON.stringify({ terminal_id: terminalId, cwd });
    return [meta?.withMember('terminal_info', info) ?? call.part.withMember('_meta', `{"terminal_info":${info}}`)!];
  }

  #remember(
    key: string,
    { sessionId, toolCallId }: ToolCallPart,
    content: JsonPart,
    found: readonly { element: JsonPart; terminal: EmbeddedTerminal }[],
  ): void {
    if (content.span.end - content.span.start > MAX_LIVE_CONTENT_BYTES) return;
    const parts: (string | EmbeddedTerminal)[] = [];
    let at = content.span.start;
    for (const { element, terminal } of found) {
      parts.push(content.sibling(at, element.span.start), terminal);
      at = element.span.end;
    }
    parts.push(content.sibling(at, content.span.end));
    if (this.#toolCalls.size >= MAX_TOOL_CALLS) this.#toolCalls.delete([...this.#toolCalls.keys()][0]!);
    this.#toolCalls.set(key, { sessionId, toolCallId, parts, sentContent: contentOf(parts), isLast: false });
  }

  #endOf(call: ToolCallPart): void {
    const key = keyOf(call);
    const known = this.#toolCalls.get(key);
    if (known === undefined) return;
    known.isLast = true;
    if (!known.parts.some((part) => typeof part !== 'string' && part.isStale)) this.#toolCalls.delete(key);
  }

  #schedule(terminal: EmbeddedTerminal): void {
    if (this.#timers.has(terminal) || !this.#isShown(terminal)) return;
    const due = (): void => {
      this.#timers.delete(terminal);
      if (this.#options.isBehind()) this.#schedule(terminal);
      else void this.#update(terminal);
    };
    this.#timers.set(terminal, setTimeout(due, LIVE_MS));
  }

  #isShown(terminal: EmbeddedTerminal): boolean {
    return this.#appending.has(terminal) || this.#callsOf(terminal).length > 0;
  }

  #callsOf(terminal: EmbeddedTerminal): [string, ToolCall][] {
    return [...this.#toolCalls].filter(([, { parts }]) => parts.includes(terminal));
  }

  /** Sends the terminal's updates one after another, so that an older text never arrives last. */
  #update(terminal: EmbeddedTerminal): Promise<void> {
    const update = (this.#updating.get(terminal) ?? Promise.resolve())
      .then(() => this.#sendUpdate(terminal))
      .finally(() => {
        if (this.#updating.get(terminal) === update) this.#updating.delete(terminal);
      });
    this.#updating.set(terminal, update);
    return update;
  }

  async #sendUpdate(terminal: EmbeddedTerminal): Promise<void> {
    this.#append(terminal);
    if (terminal.isStale) await terminal.refresh();
    for (const [key, call] of this.#callsOf(terminal)) this.#replace(key, call);
  }

  #replace(key: string, call: ToolCall): void {
    const content = contentOf(call.parts);
    if (content !== call.sentContent) this.#options.send(updateLine(call, { content }));
    call.sentContent = content;
    if (call.isLast || call.parts.every((part) => typeof part === 'string' || part.isFinal))
      this.#toolCalls.delete(key);
  }

  #append(terminal: EmbeddedTerminal): void {
    const call = this.#appending.get(terminal);
    if (call === undefined) return;
    const { terminalId: terminal_id } = terminal.shown;
    const say = (meta: object): void => this.#options.send(updateLine(call, { _meta: JSON.stringify(meta) }));
    const data = terminal.takePending();
    if (data !== '') say({ terminal_output: { terminal_id, data } });
    if (terminal.exit === null || terminal.isExitSent) return;
    terminal.isExitSent = true;
    say({ terminal_exit: { terminal_id, exit_code: terminal.exit.exitCode, signal: terminal.exit.signal } });
  }
}

function keyOf({ sessionId, toolCallId }: Pick<ToolCallPart, 'sessionId' | 'toolCallId'>): string {
  return `${sessionId} ${toolCallId}`;
}

function contentOf(parts: ToolCall['parts']): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.content)).join('');
}
