/**
 * Handles permission requests of the agent and the policy: one question at a time, put to the person, or answered
 * automatically if there is none.
 */
import type { ApprovalRequest } from '../../access/policy/command-policy.js';
import type { PermissionOption, PermissionQuestion, RunEvent } from './events.js';
import type { Keyboard } from './keyboard.js';
import type { Page } from './page.js';
import { fits } from './paint-question.js';
import { grant, isGrant, refusal } from './permission.js';

export interface QuestionsSurface {
  onEvent(event: RunEvent): void;
  /** The size of the person's screen. */
  page(): Page;
}

/** The options when the policy requires approval. */
const APPROVAL: readonly PermissionOption[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

export class Questions {
  readonly #isGranting: boolean;
  readonly #surface: QuestionsSurface;
  /** Settles with the newest question. */
  #asked: Promise<unknown> = Promise.resolve();
  /** The keyboard of the person to ask, or null. */
  keyboard: Keyboard | null = null;
  /** Whether something was refused because there was no person to ask. */
  lacksPermission = false;

  /** @param isGranting - Grants every request. */
  constructor(isGranting: boolean, surface: QuestionsSurface) {
    [this.#isGranting, this.#surface] = [isGranting, surface];
  }

  /** Asks for the approval that the policy requires; null if there is no person. */
  async approve({ command: text, cwd, env, reason }: ApprovalRequest, signal: AbortSignal): Promise<boolean | null> {
    const command = { text, cwd, env, reason };
    const title = `Run ${text}? (${reason})`;
    const option = await this.ask({ toolCallId: '', title, options: APPROVAL, command }, signal);
    if (option !== null && isGrant(option)) return true;
    return this.#hasNobody ? null : false;
  }

  /** Shows a question, which is answered by number. Null: no option is chosen. */
  ask(question: PermissionQuestion, off: AbortSignal): Promise<PermissionOption | null> {
    const answer = this.#asked.then(async () => {
      this.#surface.onEvent({ type: 'question', ...question });
      const isUnasked = !off.aborted && this.#hasNobody;
      const option = await this.#optionOf(question, off);
      this.#surface.onEvent({ type: 'answer', toolCallId: question.toolCallId, option, isUnasked });
      return option;
    });
    this.#asked = answer.catch(() => null);
    return answer;
  }

  get #hasNobody(): boolean {
    return !this.#isGranting && this.keyboard?.isTerminal !== true;
  }

  async #optionOf(question: PermissionQuestion, off: AbortSignal): Promise<PermissionOption | null> {
    const { options } = question;
    if (off.aborted) return null;
    const granted = this.#isGranting ? grant(options) : null;
    if (granted !== null) return granted;
    if (this.keyboard?.isTerminal === true && !this.#isGranting) {
      if (!fits(question, this.#surface.page())) return this.#refuseUnseen(options);
      const index = await this.keyboard.pick(options.length, off);
      return index === null ? null : (options[index] ?? null);
    }
    this.lacksPermission ||= options.some(isGrant) || this.#isGranting;
    return refusal(options);
  }

  /** Refuses, because a person cannot allow what they have not seen. */
  #refuseUnseen(options: readonly PermissionOption[]): PermissionOption | null {
    const { columns, rows } = this.#surface.page();
    const text =
      `This request is rejected, because it does not fit on a screen of ${columns}x${rows}. Use a larger window ` +
      'to see all of it.';
    this.#surface.onEvent({ type: 'warning', text });
    return refusal(options);
  }
}
