/**
 * Renders the commands of a terminal, the newest last, and the actions for the selected one. In a narrow window, this
 * is a drawer.
 */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { CommandRecord } from '../../../src/contract/command.js';
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { plain } from '../store/naming.js';
import { stateOfCommand } from '../store/state-of.js';
import { now } from '../store/store.js';
import { count, counted, timeOfDay } from '../ui/durations.js';
import { Icon, StateGlyph } from '../ui/icon.js';
import { Acts } from './acts.js';
import { otherViewers, type LiveView } from './live-view.js';

export { copyOutput, jumpTo } from './acts.js';

/** The number of the selected command, or null for the newest. */
export const chosen = signal<number | null>(null);
const onlyFailed = signal(false);

const TIMELINE_ID = 'timeline';
const BUTTON_ID = 'timeline-button';

/** Whether the drawer is open. */
export const isDrawerOpen = signal(false);

/** Closes the drawer and returns the focus to its button. Does nothing if it is closed. */
function closeDrawer(): void {
  if (!isDrawerOpen.peek()) return;
  isDrawerOpen.value = false;
  document.getElementById(BUTTON_ID)?.focus();
}

/** Escape in a menu closes only the menu. */
function closeOnEscape({ key, target }: KeyboardEvent): void {
  if (key === 'Escape' && (target as Element).closest('[popover]') === null) closeDrawer();
}

export function DrawerButton({ view }: { view: LiveView }) {
  return (
    <button
      id={BUTTON_ID}
      class="btn only-narrow"
      aria-expanded={isDrawerOpen.value}
      aria-controls={TIMELINE_ID}
      onClick={() => (isDrawerOpen.value = !isDrawerOpen.peek())}
    >
      Commands <span class="dim">{count(view.commands.value.length)}</span>
    </button>
  );
}

export function Timeline({ terminal, view }: { terminal: OverviewTerminal; view: LiveView }) {
  const place = useRef<HTMLElement>(null);
  const isOpen = isDrawerOpen.value;
  useEffect(() => {
    if (isOpen) place.current?.focus();
  }, [isOpen]);
  return (
    <aside
      {...{ ref: place, id: TIMELINE_ID, class: `timeline${isOpen ? ' is-open' : ''}`, tabIndex: -1 }}
      aria-label="Commands"
      onKeyDown={closeOnEscape}
    >
      <Header all={view.commands.value} />
      <div class="scroll tlist">
        <About {...{ terminal, view }} />
        <Commands view={view} />
      </div>
    </aside>
  );
}

function Header({ all }: { all: readonly CommandRecord[] }) {
  return (
    <header>
      <h2>Commands</h2>
      <span class="dim">{count(all.length)}</span>
      <span class="grow" />
      <div class="seg" role="group" aria-label="Which">
        {[false, true].map((failed) => (
          <button
            key={String(failed)}
            aria-pressed={onlyFailed.value === failed}
            onClick={() => (onlyFailed.value = failed)}
          >
            {failed ? 'Failed' : 'All'}
          </button>
        ))}
      </div>
      <button class="btn btn-quiet btn-icon only-narrow" aria-label="Close the commands" onClick={closeDrawer}>
        <Icon name="x" />
      </button>
    </header>
  );
}

function Commands({ view }: { view: LiveView }) {
  const all = view.commands.value;
  const shown = onlyFailed.value ? all.filter(({ exitCode }) => exitCode !== null && exitCode !== 0) : all;
  if (all.length === 0)
    return (
      <p class="none dim">
        {view.isFollowed.value
          ? 'No commands yet.'
          : 'This program’s commands are not known: no shell is followed here.'}
      </p>
    );
  return (
    <ol>
      {shown.map((each) => (
        <Item key={each.commandId} {...{ command: each, view }} isLast={each === all.at(-1)} />
      ))}
    </ol>
  );
}

function About({ terminal, view }: { terminal: OverviewTerminal; view: LiveView }) {
  const { cwd, labels, created, createdBy, totalLines } = terminal;
  const by = createdBy === null ? '' : ` by ${createdBy.name}, over ${createdBy.door}`;
  const pairs = Object.entries(labels).map((each) => each.join('='));
  const facts: [string, string][] = [
    ['Directory', cwd ?? 'not known'],
    ['Labels', pairs.join(' ')],
    ['Started', `${timeOfDay(created)}${by}`],
    ['History', counted(totalLines, 'line')],
    ['Watching', otherViewers(view).join(', ')],
  ];
  return (
    <dl class="about">
      {facts
        .filter(([, text]) => text !== '')
        .map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{plain(text)}</dd>
          </div>
        ))}
    </dl>
  );
}

function Item({ command, view, isLast }: { command: CommandRecord; view: LiveView; isLast: boolean }) {
  const place = useRef<HTMLLIElement>(null);
  const state = stateOfCommand(command, now.value);
  const isChosen = chosen.value === null ? isLast : chosen.value === command.commandId;
  const { commandId, within, text, started } = command;
  useEffect(() => {
    if (isChosen) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <li
      ref={place}
      class={within === null ? 'cmdi' : 'cmdi is-within'}
      {...(isChosen ? { 'aria-current': true as const } : {})}
      onClick={() => (chosen.value = commandId)}
    >
      <StateGlyph glyph={state.glyph} />
      <span class="text">{plain(text)}</span>
      <div class="meta">
        <span class={state.isBad ? 'c-bad' : ''}>{state.words}</span>
        <span class="at">{timeOfDay(started)}</span>
      </div>
      {isChosen && <Acts {...{ command, view }} />}
    </li>
  );
}
