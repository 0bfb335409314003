/** Renders the page: the view for the current URL, or the sign-in if no one is signed in. */
import { useEffect } from 'preact/hooks';
import { me } from './access.js';
import { HistoryPage } from './history/history-page.js';
import { Home } from './home/home.js';
import { SearchPage } from './home/search-page.js';
import { Dialogs } from './palette/dialog-views.js';
import { watchKeys } from './palette/keys.js';
import { route } from './routing/place.js';
import { SignIn } from './sign-in/sign-in.js';
import { feed, needing } from './store/store.js';
import { notice } from './ui/copying.js';
import { watchNotices } from './ui/notices.js';
import { TerminalPage } from './terminal/terminal-page.js';

export function App() {
  if (me.value === undefined) return null;
  return me.value === null ? <SignIn /> : <Signed />;
}

function Signed() {
  useEffect(() => feed(), []);
  useEffect(() => watchKeys(), []);
  useEffect(() => watchNotices(), []);
  const waiting = needing.value.length;
  useEffect(() => {
    document.title = waiting === 0 ? 'tenacitty' : `(${waiting}) tenacitty`;
  }, [waiting]);
  return (
    <>
      <Shown />
      <Dialogs />
      <p class={notice.value === '' ? 'vh' : 'notice'} role="status">
        {notice.value}
      </p>
    </>
  );
}

function Shown() {
  const { view, terminal } = route.value;
  if (view === 'search') return <SearchPage />;
  if (view === 'history') return <HistoryPage key={terminal} id={terminal} />;
  return view === 'terminal' ? <TerminalPage id={terminal} /> : <Home />;
}
