/**
 * Renders the form for answering a question: a button for each offered answer, and a field. One tap never sends an
 * answer: a button only fills the field and moves the focus to *Send*.
 */
import { useRef } from 'preact/hooks';
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { wholeName } from '../store/naming.js';
import { Icon } from '../ui/icon.js';
import { answer, said, SENT } from './answering.js';
import { choicesIn } from './choices.js';

export type Question = NonNullable<OverviewTerminal['waiting']>;

interface Props {
  readonly terminal: OverviewTerminal;
  readonly waiting: Question;
  readonly age?: string;
  readonly isMain?: boolean;
}

export function useAnswer({ terminal, waiting }: Pick<Props, 'terminal' | 'waiting'>) {
  const field = useRef<HTMLInputElement>(null);
  const send = (event: Event): void => {
    event.preventDefault();
    const text = field.current?.value ?? '';
    if (waiting.kind === 'key' && text === '') return;
    if (field.current) field.current.value = '';
    void answer(terminal.id, waiting.id, text);
  };
  return { field, send };
}

export function AnswerForm({ terminal, waiting, age, isMain = false, field }: Props & { field: Field }) {
  const words = said.value.get(waiting.id);
  const fill = (event: MouseEvent): void => {
    const button = event.currentTarget as HTMLButtonElement;
    if (field.current) field.current.value = button.value;
    button.form?.querySelector<HTMLButtonElement>('[data-send]')?.focus();
  };
  const isSecret = waiting.kind === 'password';
  return (
    <div class="answer">
      {!isSecret &&
        choicesIn(waiting.prompt).map((each) => (
          <button key={each} class="btn" type="button" value={each} onClick={fill}>
            {each}
          </button>
        ))}
      <AnswerField {...{ terminal, waiting, field, isSecret }} />
      <button class={isMain ? 'btn btn-main' : 'btn'} data-send disabled={words === SENT}>
        Send
      </button>
      <span class="dim age">{words ?? age}</span>
    </div>
  );
}

type Field = ReturnType<typeof useAnswer>['field'];

function AnswerField({ terminal, waiting, field, isSecret }: Props & { field: Field; isSecret: boolean }) {
  const name = `${isSecret ? 'Password' : 'Answer'} for ${waiting.by} in ${wholeName(terminal)}`;
  return (
    <label class="field">
      <span class="vh">{name}</span>
      {isSecret && <Icon name="key" />}
      <input
        ref={field}
        {...(isSecret ? { type: 'password' as const } : { type: 'text' as const })}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        {...(waiting.kind === 'key' ? { maxLength: 1 } : {})}
        placeholder={isSecret ? 'Only the program receives it' : 'Another answer'}
      />
    </label>
  );
}
