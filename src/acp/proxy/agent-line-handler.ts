/**
 * Processes a line on its way from the agent to the editor. If the proxy serves terminals, responds to requests about
 * them and rewrites updates that show them. Passes everything else on unchanged.
 */
import type { EditorLineHandler } from './editor-line-handler.js';
import type { EmbeddedTerminals } from './embedded-terminals.js';
import { Message } from './message.js';
import type { Sessions } from './sessions.js';
import type { TerminalRequests } from './terminal-requests.js';

export interface AgentLineHandlerOptions {
  readonly editor: EditorLineHandler;
  readonly sessions: Sessions;
  readonly requests: TerminalRequests;
  /** Null if the agent's updates about terminals are passed on unchanged. */
  readonly embedded: EmbeddedTerminals | null;
}

export class AgentLineHandler {
  readonly #options: AgentLineHandlerOptions;

  constructor(options: AgentLineHandlerOptions) {
    this.#options = options;
  }

  /** Returns the line to send to the editor, or null if the line is not meant for the editor. */
  take(line: Buffer): Buffer | null {
    const { editor, sessions } = this.#options;
    if (!editor.isServing && !editor.isWaiting && !sessions.isWaiting) return line;
    const message = Message.read(line);
    if (message === undefined) return line;
    if (message.method !== undefined) return editor.isServing ? this.#takeCall(message) : line;
    sessions.onAnswer(message);
    editor.onAnswer(message);
    return line;
  }

  #takeCall(message: Message): Buffer | null {
    const { requests, embedded } = this.#options;
    if (requests.takes(message) && message.isWellFormed) {
      void requests.serve(message);
      return null;
    }
    if (message.idKey !== null) requests.passed(message.idKey);
    else if (message.method === '$/cancel_request') return this.#takeCancellation(message);
    return embedded?.rewrite(message) ?? message.line;
  }

  #takeCancellation(message: Message): Buffer | null {
    const requestId = message.params?.member('requestId');
    return requestId !== undefined && this.#options.requests.cancel(requestId) ? null : message.line;
  }
}
