/** What the agent and the policy ask leave for: one question at a time, put to the person, or answered where there is none. */
import type { ApprovalRequest } from '../../access/policy/command-policy.js';
import type { PermissionOption, PermissionQuestion, RunEvent } from './events.js';
import type { Keyboard } from './keyboard.js';
import type { Page } from './page.js';
import { fits } from './paint-question.js';
import { grant, isGrant, refusal } from './permission.js';

export interface QuestionsSurface {
  onEvent(event: RunEvent): void;
  /** What the person sees at once. */
  page(): Page;
}

/** What can be said to what the policy asks about. */
const APPROVAL: readonly PermissionOption[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'reject', name: 'Refuse', kind: 'reject_once' },
];

export class Questions {
  readonly #isGranting: boolean;
  readonly #surface: QuestionsSurface;
  /** Settled when the newest question is. */
  #asked: Promise<unknown> = Promise.resolve();
  /** Who is asked, or null. */
  keyboard: Keyboard | null = null;
  /** Whether something was not permitted for want of a person to ask. */
  lacksPermission = false;

  /** @param isGranting - Grants whatever is asked. */
  constructor(isGranting: boolean, surface: QuestionsSurface) {
    [this.#isGranting, this.#surface] = [isGranting, surface];
  }

  /** Asks about what the policy wants somebody's word for; null where there is nobody. */
  async approve({ command: text, cwd, env, reason }: ApprovalRequest, signal: AbortSignal): Promise<boolean | null> {
    const command = { text, cwd, env, reason };
    const title = `Run ${text}? (${reason})`;
    const option = await this.ask({ toolCallId: '', title, options: APPROVAL, command }, signal);
    if (option !== null && isGrant(option)) return true;
    return this.#hasNobody ? null : false;
  }

  /** A number answers the question that is shown. Null: nothing is chosen. */
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

  /** Nobody can allow what nobody has seen. */
  #refuseUnseen(options: readonly PermissionOption[]): PermissionOption | null {
    const { columns, rows } = this.#surface.page();
    const text = `That is too long to be asked: not all of it would be seen on a screen of ${columns}x${rows}. It is refused; a larger one shows more.`;
    this.#surface.onEvent({ type: 'warning', text });
    return refusal(options);
  }
}
