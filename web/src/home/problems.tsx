/** Renders the server's problems, in its own words. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { connection } from '../store/store.js';
import { plain } from '../store/naming.js';

/** No event reports problems. */
const INTERVAL_MS = 60_000;

const problems = signal<readonly string[]>([]);

async function read(): Promise<void> {
  const answer = await fetch('/api/health');
  const { data } = (await answer.json()) as { data?: { problems?: string[] } };
  problems.value = data?.problems ?? [];
}

/** Reads them now and while the page is visible. If the server does not respond, the top bar says so. */
function watch(): () => void {
  const look = (): void => {
    if (!document.hidden) read().catch(() => {});
  };
  look();
  const timer = setInterval(look, INTERVAL_MS);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

export function Problems() {
  const isOpen = connection.value === 'open';
  useEffect(() => (isOpen ? watch() : undefined), [isOpen]);
  return (
    <>
      {problems.value.map((problem) => (
        <div key={problem} class="banner banner-wait" role="status">
          {plain(problem)}
        </div>
      ))}
    </>
  );
}
