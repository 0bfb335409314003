/** Renders the list of sign-ins, each of which can be ended, also all at once. */
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { endAllSignIns, endSignIn, listSignIns, me, type SignIn } from '../access.js';
import { Bar } from '../home/bar.js';
import { plain } from '../store/naming.js';
import { now } from '../store/store.js';
import { age } from '../ui/durations.js';
import { browserName } from './browser-name.js';

/** Does something, then loads the list again or reports what failed. */
type Act = (act: () => Promise<void>) => void;

async function load(signIns: Signal<readonly SignIn[]>): Promise<void> {
  // This browser may just have signed out.
  if (me.peek() !== null) signIns.value = (await listSignIns()).signIns;
}

function useSignIns() {
  const [signIns, said] = [useSignal<readonly SignIn[]>([]), useSignal('')];
  const act: Act = (action) => {
    said.value = '';
    action()
      .then(() => load(signIns))
      .catch((error: unknown) => (said.value = error instanceof Error ? error.message : String(error)));
  };
  useEffect(() => act(() => Promise.resolve()), []);
  return { signIns: signIns.value, said: said.value, act };
}

export function AccessPage() {
  const { signIns, said, act } = useSignIns();
  return (
    <div class="view is-on">
      <Bar />
      <main class="scroll" id="main" tabIndex={-1}>
        <h1 class="vh">Access</h1>
        <div class="page">
          <section>
            <div class="page-head">
              <div class="grow">
                <h2>Sign-ins</h2>
                <p>
                  A sign-in ends after a week without use, and after 30 days in any case. When it ends, everything
                  opened with it is closed. Programs keep running.
                </p>
              </div>
              <button class="btn" onClick={() => act(endAllSignIns)}>
                Sign out everywhere
              </button>
            </div>
            <p class={said === '' ? 'vh' : 'c-bad'} role="status">
              {said}
            </p>
            <SignInTable signIns={signIns} act={act} />
          </section>
        </div>
      </main>
    </div>
  );
}

function SignInTable({ signIns, act }: { signIns: readonly SignIn[]; act: Act }) {
  return (
    <table>
      <thead>
        <tr>
          <th>Name</th>
          <th>Browser</th>
          <th class="no-phone">Signed in</th>
          <th>Last used</th>
          <th>
            <span class="vh">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {signIns.map((each) => (
          <SignInRow key={each.id} signIn={each} act={act} />
        ))}
      </tbody>
    </table>
  );
}

function SignInRow({ signIn, act }: { signIn: SignIn; act: Act }) {
  const { id, name, browser, created, lastUsed, isCurrent } = signIn;
  const since = (iso: string): string => age(now.value - Date.parse(iso));
  return (
    <tr>
      <td class="strong">
        {plain(name)} {isCurrent && <span class="dim">this browser</span>}
      </td>
      <td class="sub" title={plain(browser)}>
        {browserName(browser)}
      </td>
      <td class="sub no-phone" title={created}>
        {since(created)}
      </td>
      <td class="sub" title={lastUsed}>
        {since(lastUsed)}
      </td>
      <td>
        <button class="btn" onClick={() => act(() => endSignIn(id))}>
          {isCurrent ? 'Sign out' : 'End'}
        </button>
      </td>
    </tr>
  );
}
