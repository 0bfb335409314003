/** Renders the field whose text is typed into a held terminal. */
import { useEffect, useRef } from 'preact/hooks';
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { plain } from '../store/naming.js';
import { asks, wanted } from '../store/state-of.js';
import { Icon } from '../ui/icon.js';
import { sentFor } from './keystrokes.js';
import type { Typing } from './typing.js';

function onKeyDown(event: KeyboardEvent, typing: Typing): void {
  const field = event.currentTarget as HTMLInputElement;
  if (event.ctrlKey && event.shiftKey && event.code === 'Space') {
    event.preventDefault();
    document.querySelector<HTMLElement>('#main')?.focus();
    return;
  }
  if (event.isComposing) return;
  const { selectionStart, selectionEnd, value } = field;
  const hasSelection = selectionStart !== selectionEnd;
  const key = sentFor(event, { isByKey: typing.isByKey, isEmpty: value === '', hasSelection });
  if (key === null) return;
  event.preventDefault();
  typing.press(key);
}

function onPaste(event: ClipboardEvent, typing: Typing): void {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  // A field drops the line endings.
  if (!typing.isByKey && !/[\r\n]/.test(text)) return;
  event.preventDefault();
  typing.paste(text);
}

function placeholderFor({ waiting }: OverviewTerminal, isByKey: boolean): string {
  if (isByKey) return 'Each key is sent at once';
  return asks(waiting) ? `${plain(waiting.by)} asks for ${wanted(waiting)}` : 'Type, then Enter';
}

interface Props {
  readonly terminal: OverviewTerminal;
  readonly typing: Typing;
  readonly isByKey: boolean;
}

export function TypeBar({ terminal, typing, isByKey }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const isSecret = terminal.waiting?.kind === 'password';
  useEffect(() => {
    typing.field = field.current;
    field.current?.focus();
  }, [typing]);
  useEffect(() => typing.setByKey(isByKey), [typing, isByKey]);
  const send = (event: Event): void => {
    event.preventDefault();
    typing.sendLine();
  };
  return (
    <form class="typebar only-phone" onSubmit={send}>
      <label class="field">
        <span class="vh">Type into the terminal. Control Shift Space leaves it.</span>
        <input
          ref={field}
          data-type
          {...(isSecret ? { type: 'password' as const } : { type: 'text' as const })}
          placeholder={placeholderFor(terminal, isByKey)}
          {...{ enterkeyhint: 'send', autocapitalize: 'off', autocomplete: 'off', autocorrect: 'off' }}
          spellcheck={false}
          onInput={(event) => typing.changed((event as InputEvent).isComposing)}
          onCompositionEnd={() => typing.composed()}
          onKeyDown={(event) => onKeyDown(event, typing)}
          onPaste={(event) => onPaste(event, typing)}
        />
      </label>
      <button class="btn btn-main" aria-label="Enter" onMouseDown={(event) => event.preventDefault()}>
        <Icon name="enter" small={false} />
      </button>
    </form>
  );
}
