/** Renders the page: the view for the current URL, or the sign-in if no one is signed in. */
import { useEffect, useRef } from 'preact/hooks';
import { me } from './access.js';
import { AnswerPage } from './answer/answer-page.js';
import { HistoryPage } from './history/history-page.js';
import { Home } from './home/home.js';
import { SearchPage } from './home/search-page.js';
import { watchHeight } from './phone/width.js';
import { Dialogs } from './palette/dialog-views.js';
import { watchKeys } from './palette/keys.js';
import { route } from './routing/place.js';
import { AccessPage } from './sign-in/access-page.js';
import { SignIn } from './sign-in/sign-in.js';
import { watchSeen } from './store/seen.js';
import { feed, needing } from './store/store.js';
import { notice } from './ui/copying.js';
import { announced, watchAnnouncements } from './ui/announcing.js';
import { watchNotices } from './ui/notices.js';
import { TerminalPage } from './terminal/terminal-page.js';

export function App() {
  // Shows nothing else, even if somebody is signed in.
  if (route.value.view === 'answer') return <AnswerPage />;
  if (me.value === undefined) return null;
  return me.value === null ? <SignIn /> : <Signed />;
}

function Signed() {
  useEffect(() => feed(), []);
  useEffect(() => watchKeys(), []);
  useEffect(() => watchNotices(), []);
  useEffect(() => watchAnnouncements(), []);
  useEffect(() => watchHeight(), []);
  useEffect(() => watchSeen(), []);
  const waiting = needing.value.length;
  useEffect(() => {
    document.title = waiting === 0 ? 'tenacitty' : `(${waiting}) tenacitty`;
  }, [waiting]);
  return (
    <>
      <SkipLink />
      <Shown />
      <Dialogs />
      <div role="status" aria-atomic="false">
        <p class={notice.value === '' ? 'vh' : 'notice'}>{notice.value}</p>
        <p class="vh">{announced.value}</p>
      </div>
    </>
  );
}

const focusMain = (): void => document.querySelector<HTMLElement>('#main')?.focus();

function SkipLink() {
  const skip = (event: Event): void => {
    event.preventDefault();
    focusMain();
  };
  return (
    <a class="btn btn-main skip" href="#main" data-plain onClick={skip}>
      {route.value.terminal === '' ? 'Skip to terminals' : 'Skip to the terminal'}
    </a>
  );
}

/** Moves the focus to the new view if the element that had it is gone. */
function useFocusKept(view: string, terminal: string): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && document.activeElement === document.body) focusMain();
    isFirst.current = false;
  }, [view, terminal]);
}

function Shown() {
  const { view, terminal } = route.value;
  useFocusKept(view, terminal);
  if (view === 'search') return <SearchPage />;
  if (view === 'access') return <AccessPage />;
  if (view === 'history') return <HistoryPage key={terminal} id={terminal} />;
  return view === 'terminal' ? <TerminalPage id={terminal} /> : <Home />;
}
