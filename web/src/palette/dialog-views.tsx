/** Renders the page's dialogs: search and commands, keyboard shortcuts, creating a terminal, and ending one. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { client } from '../access.js';
import { goTo, route } from '../routing/place.js';
import { pathOf } from '../routing/route.js';
import { wholeName } from '../store/naming.js';
import { fleet, terminals } from '../store/store.js';
import { attempt } from '../terminal/more.js';
import { switchTheme } from '../ui/theme.js';
import { askForNotices, wantsNotices } from '../ui/notices.js';
import { closeDialog, dialog, openNew } from './dialogs.js';
import { SHEET } from './key-map.js';
import { hasSingleKeys } from './keys.js';

export function Dialogs() {
  const open = dialog.value;
  if (open === null) return null;
  const views = { palette: Palette, keys: Keys, new: NewTerminal, end: EndTerminal };
  const View = views[open];
  const kind = open === 'palette' ? 'palette' : open === 'keys' ? 'keymap' : '';
  return <Frame key={open} View={View} kind={kind} label={LABELS[open]} />;
}

const LABELS = {
  palette: 'Search and commands',
  keys: 'Keys',
  new: 'New terminal',
  end: 'End terminal',
} as const;

function returnFocus(before: Element | null): void {
  if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
}

/** Shows a native dialog, which keeps the focus inside while it is open. Closing it returns the focus. */
function Frame({ View, kind, label }: { View: () => preact.ComponentChildren; kind: string; label: string }) {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    place.current!.showModal();
    // The browser does not return the focus of a dialog that is removed while it is open.
    return () => queueMicrotask(() => returnFocus(before));
  }, []);
  return (
    <dialog ref={place} class={`dialog ${kind}`} onClose={closeDialog} aria-label={label}>
      <View />
    </dialog>
  );
}

function Palette() {
  const text = useSignal('');
  const wanted = text.value.toLowerCase();
  const run = (act: () => void) => (): void => {
    closeDialog();
    act();
  };
  const acts: [string, () => void][] = [
    ...terminals.value.map((each): [string, () => void] => [wholeName(each), () => goTo(pathOf(each.id))]),
    ['All terminals', () => goTo('/')],
    ['New terminal', () => queueMicrotask(openNew)],
    ['Switch between light and dark', switchTheme],
    [wantsNotices.value ? 'Turn off notifications' : 'Turn on notifications', () => void askForNotices()],
  ];
  const found = acts.filter(([words]) => words.toLowerCase().includes(wanted)).slice(0, 30);
  const submit = (event: Event): void => {
    event.preventDefault();
    const search = (): void => goTo(`/search?${new URLSearchParams({ q: text.peek() }).toString()}`);
    run(found[0]?.[1] ?? search)();
  };
  return (
    <form onSubmit={submit}>
      <label class="ask">
        <span class="vh">What</span>
        <input
          autofocus
          placeholder="A terminal, a command, or text to search for"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
      <ul aria-label="Results">
        {found.map(([words, act]) => (
          <li key={words}>
            <button type="button" class="btn btn-quiet" onClick={run(act)}>
              {words}
            </button>
          </li>
        ))}
      </ul>
    </form>
  );
}

function Keys() {
  return (
    <>
      <header>
        <h2>Keys</h2>
        <button class="btn btn-quiet" onClick={closeDialog}>
          Close
        </button>
      </header>
      <section class="cols">
        {SHEET.map(([title, keys]) => (
          <div key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([words, key]) => (
                <div key={words}>
                  <dt>{words}</dt>
                  <dd>
                    <kbd>{key}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
      </section>
      <section>
        <label class="chip-check">
          <input
            type="checkbox"
            checked={hasSingleKeys.value}
            onChange={() => (hasSingleKeys.value = !hasSingleKeys.peek())}
          />{' '}
          Enable single-key shortcuts <span class="dim">(shortcuts with ⌘ or Ctrl always work)</span>
        </label>
      </section>
    </>
  );
}

async function create(data: FormData): Promise<void> {
  const given = (name: string): string => {
    const value = data.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const [shell, cwd] = [given('shell'), given('cwd')];
  const { terminalId } = await client.create({ ...(shell !== '' && { shell }), ...(cwd !== '' && { cwd }) });
  closeDialog();
  goTo(pathOf(terminalId));
}

function NewTerminal() {
  const send = (event: Event): void => {
    event.preventDefault();
    attempt(create(new FormData(event.currentTarget as HTMLFormElement)));
  };
  return (
    <form onSubmit={send}>
      <header>
        <h2>New terminal</h2>
      </header>
      <section class="form">
        <label for="new-shell">Program</label>
        <span class="field">
          <input id="new-shell" name="shell" class="mono" placeholder="your shell" autofocus />
        </span>
        <label for="new-cwd">Directory</label>
        <span class="field">
          <input id="new-cwd" name="cwd" class="mono" />
        </span>
      </section>
      <section class="ends">
        <button type="button" class="btn" onClick={closeDialog}>
          Cancel
        </button>
        <button class="btn btn-main">Open</button>
      </section>
    </form>
  );
}

function EndTerminal() {
  const { terminal: id } = route.value;
  const terminal = fleet.value.get(id);
  if (terminal === undefined) return null;
  const end = (): void => {
    closeDialog();
    goTo('/');
    attempt(client.remove(id));
  };
  return (
    <>
      <header>
        <h2>End {wholeName(terminal)}?</h2>
      </header>
      <section>
        <p>The program and all processes that it started receive SIGTERM, then SIGKILL. The terminal is removed.</p>
      </section>
      <section class="ends">
        <button class="btn" autofocus onClick={closeDialog}>
          Cancel
        </button>
        <button class="btn btn-danger" onClick={end}>
          End it
        </button>
      </section>
    </>
  );
}
