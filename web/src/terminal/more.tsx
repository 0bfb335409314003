/** Renders the menu of a terminal: downloads, size, signals, and ending it. */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import type { SignalName } from '../../../src/contract/terminal.js';
import { client, download, type DownloadKind } from '../access.js';
import { dialog } from '../palette/dialogs.js';
import { note } from '../ui/copying.js';
import { Menu } from '../ui/menu.js';
import { NoticeItem } from '../ui/notice-item.js';
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
  return (
    <Menu label="More" icon="more">
      <Items {...{ terminal, view }} />
    </Menu>
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
      {terminal.status === 'active' && <NoticeItem id={terminal.id} />}
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
