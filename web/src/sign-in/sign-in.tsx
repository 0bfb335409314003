/** Renders the sign-in page: one field for a one-time code or, if the user prefers, for an API key. */
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Refused, signIn, type Credential } from '../access.js';
import { goTo, route } from '../routing/place.js';
import { codeIn } from '../routing/route.js';
import { Brand } from '../ui/icon.js';
import { asCode, isWhole } from './code.js';

async function exchange(credential: Credential, said: Signal<string>): Promise<void> {
  said.value = '';
  try {
    await signIn(credential);
  } catch (error) {
    said.value = error instanceof Refused ? error.message : 'The server is not responding. Try again.';
  }
}

/** Removes the code from the URL immediately, then signs in with it. */
function useCodeOfAddress(text: Signal<string>, said: Signal<string>): void {
  useEffect(() => {
    const code = codeIn(route.peek().hash);
    if (code === null) return;
    goTo(location.pathname + location.search, { replace: true });
    text.value = asCode(code);
    void exchange({ code: text.value }, said);
  }, [text, said]);
}

export function SignIn() {
  const [text, said, byKey] = [useSignal(''), useSignal(''), useSignal(false)];
  useCodeOfAddress(text, said);
  const send = (event: Event): void => {
    event.preventDefault();
    const given = text.value.trim();
    if (byKey.value ? given !== '' : isWhole(given))
      void exchange(byKey.value ? { key: given } : { code: given }, said).then(() => {
        if (byKey.value) text.value = '';
      });
  };
  const change = (event: Event): void => {
    event.preventDefault();
    text.value = said.value = '';
    byKey.value = !byKey.value;
  };
  return (
    <main class="gate" tabIndex={-1}>
      <form onSubmit={send}>
        <Brand />
        <h1>Sign in</h1>
        <p>
          Run <code>tenacitty open</code> on the server, or ask whoever runs the server for a code.
        </p>
        {byKey.value ? <KeyField text={text} /> : <CodeField text={text} />}
        <p class={said.value === '' ? 'dim' : 'c-bad'} role="status">
          {said.value === '' ? 'A code works once and expires soon.' : said.value}
        </p>
        <button class="btn btn-main">Sign in</button>
        <p class="alt">
          <a href="/" onClick={change}>
            {byKey.value ? 'Use a code' : 'No code? Use an API key'}
          </a>
          . This page exchanges it for a cookie and does not keep it.
        </p>
      </form>
    </main>
  );
}

function CodeField({ text }: { text: Signal<string> }) {
  const typed = (event: Event): void => {
    const field = event.target as HTMLInputElement;
    field.value = text.value = asCode(field.value);
  };
  return (
    <label class="code">
      <span class="vh">One-time code</span>
      <input
        value={text.value}
        onInput={typed}
        placeholder="XXXX-XXXX"
        autocomplete="one-time-code"
        autocapitalize="characters"
        spellcheck={false}
        autofocus
      />
    </label>
  );
}

function KeyField({ text }: { text: Signal<string> }) {
  return (
    <label class="field">
      <span class="vh">API key</span>
      <input
        type="password"
        autocomplete="off"
        value={text.value}
        placeholder="API key"
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
    </label>
  );
}
