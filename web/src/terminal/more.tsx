/** Renders the menu of a terminal: downloads, size, signals, and ending it. */
import { useSignal } from '@preact/signals';
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import type { SignalName } from '../../../src/contract/terminal.js';
import { client, download, type DownloadKind } from '../access.js';
import { dialog } from '../palette/dialogs.js';
import { note } from '../ui/copying.js';
import { Icon } from '../ui/icon.js';
import type { LiveView } from './live-view.js';

const SIGNALS: readonly SignalName[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGSTOP', 'SIGCONT', 'SIGKILL'];
const DOWNLOADS: readonly (readonly [DownloadKind, string])[] = [
  ['text', 'Download as text'],
  ['ansi', 'Download with colours'],
];

/** Notifies the user if the work fails. */
export function attempt(work: Promise<unknown>): void {
  work.catch((error: unknown) => note(error instanceof Error ? error.message : 'Something went wrong.'));
}

export function More({ terminal, view }: { terminal: OverviewTerminal; view: LiveView | null }) {
  const isOpen = useSignal(false);
  const toggle = (): void => {
    isOpen.value = !isOpen.value;
  };
  return (
    <>
      <button
        class="btn btn-quiet btn-icon"
        aria-label="More"
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        onClick={toggle}
      >
        <Icon name="more" small={false} />
      </button>
      {isOpen.value && (
        <div class="menu menu-more" role="menu" onClick={toggle}>
          <Items {...{ terminal, view }} />
        </div>
      )}
    </>
  );
}

function Items({ terminal, view }: { terminal: OverviewTerminal; view: LiveView | null }) {
  const isHeld = view !== null && view.hold.value.since !== null;
  const fit = (): void => {
    if (view?.emulator) view.live?.resize(view.emulator.screen());
  };
  return (
    <>
      {DOWNLOADS.map(([kind, words]) => (
        <button key={kind} class="mi" role="menuitem" onClick={() => attempt(download(terminal.id, kind))}>
          {words}
        </button>
      ))}
      {isHeld && (
        <button class="mi" role="menuitem" onClick={fit}>
          Resize to fit this window
        </button>
      )}
      {terminal.status === 'active' &&
        SIGNALS.map((signal) => (
          <button
            key={signal}
            class="mi"
            role="menuitem"
            onClick={() => attempt(client.signal(terminal.id, { signal }))}
          >
            Send {signal}
          </button>
        ))}
      {terminal.status === 'active' && (
        <button class="mi c-bad" role="menuitem" onClick={() => (dialog.value = 'end')}>
          End terminal and all its processes…
        </button>
      )}
    </>
  );
}
