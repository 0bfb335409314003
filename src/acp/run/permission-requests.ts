/**
 * Handles permission requests from the agent and the policy, one question at a time. Asks the person or, if there is
 * none, answers automatically.
 */
import type { ApprovalRequest } from '../../access/policy/command-policy.js';
import type { PermissionOption, PermissionQuestion, RunEvent } from './events.js';
import type { PromptKeyboard } from './prompt-keyboard.js';
import type { ScreenSize } from './screen-size.js';
import { fitsScreen } from './format-question.js';
import { Turns } from '../../turns.js';

export interface QuestionView {
  onEvent(event: RunEvent): void;
  /** Returns the size of the person's screen. */
  screenSize(): ScreenSize;
}

const GRANTING = ['allow_once', 'allow_always'];
const REFUSING = ['reject_once', 'reject_always'];

/** The options if the policy requires approval. */
const APPROVAL: readonly PermissionOption[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

export class PermissionRequests {
  readonly #isGranting: boolean;
  readonly #view: QuestionView;
  readonly #turns = new Turns();
  /** The keyboard of the person to ask, or null if there is none. */
  keyboard: PromptKeyboard | null = null;
  /** Whether something was refused because there was no person to ask. */
  lacksPermission = false;

  /** @param isGranting - Whether to grant every request. */
  constructor(isGranting: boolean, view: QuestionView) {
    [this.#isGranting, this.#view] = [isGranting, view];
  }

  /** Asks for the approval that the policy requires. Resolves to null if there is no person to ask. */
  async approve({ command: text, cwd, env, reason }: ApprovalRequest, signal: AbortSignal): Promise<boolean | null> {
    const command = { text, cwd, env, reason };
    const title = `Run ${text}? (${reason})`;
    const option = await this.ask({ toolCallId: '', title, options: APPROVAL, command }, signal);
    if (option !== null && isGrantingOption(option)) return true;
    return this.#isUnattended ? null : false;
  }

  /** Shows a question, which the person answers with a number. Resolves to null if no option is chosen. */
  ask(question: PermissionQuestion, off: AbortSignal): Promise<PermissionOption | null> {
    return this.#turns.take(async () => {
      this.#view.onEvent({ type: 'question', ...question });
      const isUnasked = !off.aborted && this.#isUnattended;
      const option = await this.#chooseOption(question, off);
      this.#view.onEvent({ type: 'answer', toolCallId: question.toolCallId, option, isUnasked });
      return option;
    });
  }

  get #isUnattended(): boolean {
    return !this.#isGranting && this.keyboard?.isTerminal !== true;
  }

  async #chooseOption(question: PermissionQuestion, off: AbortSignal): Promise<PermissionOption | null> {
    const { options } = question;
    if (off.aborted) return null;
    const granted = this.#isGranting ? grantingOption(options) : null;
    if (granted !== null) return granted;
    if (this.keyboard?.isTerminal === true && !this.#isGranting) {
      if (!fitsScreen(question, this.#view.screenSize())) return this.#refuseUnshown(options);
      const index = await this.keyboard.pick(options.length, off);
      return index === null ? null : (options[index] ?? null);
    }
    this.lacksPermission ||= options.some(isGrantingOption) || this.#isGranting;
    return refusingOption(options);
  }

  /** Refuses the request, because a person cannot allow what they have not seen. */
  #refuseUnshown(options: readonly PermissionOption[]): PermissionOption | null {
    const { columns, rows } = this.#view.screenSize();
    const text =
      `This request is rejected, because it does not fit on a screen of ${columns}x${rows}. Use a larger window ` +
      'to see all of it.';
    this.#view.onEvent({ type: 'warning', text });
    return refusingOption(options);
  }
}

/** Returns the option that grants permission most narrowly, or null if none grants it. */
function grantingOption(options: readonly PermissionOption[]): PermissionOption | null {
  return firstOf(GRANTING, options);
}

/** Returns the option that refuses most narrowly, or null if none refuses. */
function refusingOption(options: readonly PermissionOption[]): PermissionOption | null {
  return firstOf(REFUSING, options);
}

function isGrantingOption({ kind }: PermissionOption): boolean {
  return GRANTING.includes(kind ?? '');
}

function firstOf(kinds: readonly string[], options: readonly PermissionOption[]): PermissionOption | null {
  const found = kinds.map((kind) => options.find((option) => option.kind === kind));
  return found.find((option) => option !== undefined) ?? null;
}
