/**
 * Renders the page of a link that an agent's user receives: the program that asks, its prompt and a field for the
 * answer, and nothing else. It needs no sign-in and shows none.
 */
import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { goTo, route } from '../routing/place.js';
import { answerCodeIn } from '../routing/route.js';
import { plain } from '../store/naming.js';
import { wanted } from '../store/state-of.js';
import { Icon, StateGlyph } from '../ui/icon.js';
import { openLink, type OpenLink } from './link.js';

const NO_CODE = 'This link was already used or has expired. Ask for a new one.';
const TYPED = 'Typed. You can close this page.';
const SECRET_WORDS = 'Only the program receives it: it is not shown, logged or recorded, and the agent never sees it.';
const LINE_WORDS = 'Typed exactly as entered, followed by Enter.';

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Removes each code from the address immediately, then opens the link. */
function useLink(link: Signal<OpenLink | null>, said: Signal<string>): void {
  const code = answerCodeIn(route.value.hash);
  useEffect(() => {
    if (code === null) return;
    goTo(location.pathname, { replace: true });
    link.value = null;
    said.value = '';
    openLink(code).then(
      (opened) => (link.value = opened),
      (error: unknown) => (said.value = wordsOf(error)),
    );
  }, [code, link, said]);
}

export function AnswerPage() {
  const link = useSignal<OpenLink | null>(null);
  const said = useSignal(answerCodeIn(route.peek().hash) === null ? NO_CODE : '');
  useLink(link, said);
  useEffect(() => {
    document.title = 'tenacitty: answer';
  }, []);
  return (
    <main class="answer-page" id="main" tabIndex={-1}>
      <h1 class="vh">Answer a program</h1>
      {link.value !== null && <LinkDock link={link} said={said} />}
      <p role="status">{said.value}</p>
    </main>
  );
}

function LinkDock({ link, said }: { link: Signal<OpenLink | null>; said: Signal<string> }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { question, send } = link.value!;
  const { by, prompt, terminal, command } = question;
  const submit = (event: Event): void => {
    event.preventDefault();
    const text = field.current!.value;
    field.current!.value = '';
    // The proof works once, whatever the result is.
    link.value = null;
    said.value = 'Sending …';
    send(text).then(
      () => (said.value = TYPED),
      (error: unknown) => (said.value = wordsOf(error)),
    );
  };
  const isSecret = question.kind === 'password';
  return (
    <form class="dock" onSubmit={submit}>
      <StateGlyph glyph={isSecret ? 'lock' : 'wait'} />
      <div>
        <b class="strong">
          {plain(by)} asks for {wanted(question)}
        </b>{' '}
        in {plain(terminal)} <span class="mono sub">{plain(prompt)}</span>
      </div>
      <div class="answer">
        <label class="field">
          <span class="vh">{isSecret ? 'Password' : 'Answer'}</span>
          {isSecret && <Icon name="key" />}
          <input
            ref={field}
            {...(isSecret ? { type: 'password' as const } : { type: 'text' as const })}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            maxLength={1024}
          />
        </label>
        <button class="btn btn-main">Send</button>
      </div>
      <p>
        Command: <span class="mono">{plain(command)}</span>
      </p>
      <p>{isSecret ? SECRET_WORDS : LINE_WORDS}</p>
    </form>
  );
}
