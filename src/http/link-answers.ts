/**
 * Serves the holders of links that permit to answer one question. The page exchanges the code of its link for the
 * question and a proof, which it sends with the answer. A proof works once. Proofs are kept only in memory, as hashes.
 * Nothing else about a terminal can be read or changed with a link.
 */
import { randomBytes } from 'node:crypto';
import type { AnswerRight } from '../access/answer-links.js';
import { LINK_NOT_VALID } from '../access/gate.js';
import { permitted } from '../access/permitted-manager.js';
import { localPrincipal } from '../access/principal.js';
import { hashOf } from '../access/private-folder.js';
import { callerOf } from '../contract/caller.js';
import { cutText } from '../contract/cut-text.js';
import type { TerminalManager } from '../contract/manager.js';
import type { Question } from '../contract/waiting.js';
import { TerminalError, type ErrorCode } from '../errors.js';
import { LruMap } from '../lru-map.js';

const PROOF_BYTES = 32;
/** Maximum number of open pages; a person has opened a link for each. */
const MAX_PROOFS = 100;
/** Enough to recognise a command. */
const MAX_COMMAND_CHARS = 2000;
/** Errors that mean that the program cannot ask the question any more. */
const GONE: readonly ErrorCode[] = ['NOT_WAITING', 'TERMINAL_NOT_FOUND', 'TERMINAL_INACTIVE', 'COMMAND_NOT_FOUND'];

/** What the page shows. */
export interface LinkedQuestion extends Pick<Question, 'by' | 'kind' | 'prompt' | 'since'> {
  /** The name of the terminal. */
  readonly terminal: string;
  /** The text of the command that asks. */
  readonly command: string;
}

export class LinkAnswers {
  readonly #manager: TerminalManager;
  readonly #rights = new LruMap<AnswerRight>(MAX_PROOFS);

  /** @param manager - Used with the permissions of a controller. */
  constructor(manager: TerminalManager) {
    const by = callerOf('rest', localPrincipal().name);
    this.#manager = permitted(manager, { role: 'controller', by });
  }

  /** Returns the question, and the proof to answer it with. @throws `NOT_WAITING` if it is no longer asked. */
  open(right: AnswerRight): Promise<{ readonly proof: string; readonly question: LinkedQuestion }> {
    return orGone(async () => {
      const question = await this.#questionOf(right);
      const proof = randomBytes(PROOF_BYTES).toString('base64url');
      this.#rights.set(hashOf(proof), right);
      return { proof, question };
    });
  }

  /**
   * Types the answer, if the program is still asking the question. Uses up the proof in any case.
   *
   * @throws `UNAUTHORIZED` if the proof is not valid, `NOT_WAITING` if the question is no longer asked.
   */
  async answer(proof: string, text: string): Promise<void> {
    const key = hashOf(proof);
    const right = this.#rights.peek(key);
    this.#rights.delete(key);
    if (right === undefined || Date.now() >= right.expires) throw new TerminalError('UNAUTHORIZED', LINK_NOT_VALID);
    await orGone(() => this.#manager.answer(right.terminalId, { waiting: right.waiting, text }));
  }

  async #questionOf({ terminalId, waiting, commandId, terminal }: AnswerRight): Promise<LinkedQuestion> {
    const [found] = await this.#manager.overview({ ids: [terminalId] });
    if (found?.waiting?.id !== waiting) throw gone();
    const { text } = await this.#manager.command(terminalId, commandId);
    const { by, kind, prompt, since } = found.waiting;
    return { by, kind, prompt, since, terminal, command: cutText(text, MAX_COMMAND_CHARS) };
  }
}

/** Replaces errors whose details describe what the terminal is doing now. */
async function orGone<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof TerminalError && GONE.includes(error.code) ? gone() : error;
  }
}

function gone(): TerminalError {
  return new TerminalError('NOT_WAITING', 'The program is no longer asking. Nothing was typed.');
}
