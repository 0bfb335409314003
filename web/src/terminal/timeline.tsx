/** Renders the commands of a terminal, the newest last, and the actions for the selected one. */
import { signal } from '@preact/signals';
import type { CommandRecord } from '../../../src/contract/command.js';
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { client } from '../access.js';
import { goTo } from '../routing/place.js';
import { pathOf } from '../routing/route.js';
import { plain } from '../store/naming.js';
import { stateOfCommand } from '../store/state-of.js';
import { now } from '../store/store.js';
import { copy } from '../ui/copying.js';
import { count, counted, timeOfDay } from '../ui/durations.js';
import { StateGlyph } from '../ui/icon.js';
import { asCurl, asLibraryCall } from './command-list.js';
import type { LiveView } from './live-view.js';
import { attempt } from './more.js';

/** The number of the selected command, or null for the newest. */
export const chosen = signal<number | null>(null);
const onlyFailed = signal(false);

export function Timeline({ terminal, view }: { terminal: OverviewTerminal; view: LiveView }) {
  const all = view.commands.value;
  const shown = onlyFailed.value ? all.filter(({ exitCode }) => exitCode !== null && exitCode !== 0) : all;
  return (
    <aside class="timeline no-phone" aria-label="Commands">
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
      </header>
      <div class="scroll tlist">
        <About terminal={terminal} />
        {all.length === 0 && <p class="dim">No commands yet.</p>}
        <ol>
          {shown.map((each) => (
            <Item key={each.commandId} {...{ command: each, view }} isLast={each === all.at(-1)} />
          ))}
        </ol>
      </div>
    </aside>
  );
}

function About({ terminal }: { terminal: OverviewTerminal }) {
  const { cwd, labels, created, createdBy, totalLines } = terminal;
  const by = createdBy === null ? '' : ` by ${createdBy.name}, over ${createdBy.door}`;
  const facts: [string, string][] = [
    ['Directory', cwd ?? 'not known'],
    [
      'Labels',
      Object.entries(labels)
        .map((each) => each.join('='))
        .join(' '),
    ],
    ['Started', `${timeOfDay(created)}${by}`],
    ['History', counted(totalLines, 'line')],
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
  const state = stateOfCommand(command, now.value);
  const isChosen = chosen.value === null ? isLast : chosen.value === command.commandId;
  const { commandId, within, text, started } = command;
  return (
    <li
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

export const jumpTo = (view: LiveView, { fromLine }: CommandRecord): void =>
  goTo(`${pathOf(view.id, 'history')}#L${fromLine}`);

export async function copyOutput({ terminalId, commandId }: CommandRecord): Promise<void> {
  const { output } = await client.readCommand(terminalId, commandId, { maxLines: 1_000_000 });
  await copy(output);
}

function Acts({ command, view }: { command: CommandRecord; view: LiveView }) {
  const { commandId, text, state } = command;
  const isOver = state === 'completed' || state === 'lost';
  const runAgain = (): void => {
    if (view.hold.peek().since !== null) attempt(view.live!.type(`${text}\r`));
    else attempt(client.exec(view.id, { command: text, detach: true }));
  };
  const acts: [string, () => void][] = [
    ['Jump', () => jumpTo(view, command)],
    ['Copy output', () => attempt(copyOutput(command))],
    ['Copy command', () => void copy(text)],
    ['Copy as curl', () => void copy(asCurl(location.origin, view.id, text))],
    ['Copy as code', () => void copy(asLibraryCall(view.id, text))],
    isOver ? ['Run again', runAgain] : ['Ctrl-C', () => attempt(client.interrupt(view.id, commandId))],
  ];
  return (
    <div class="acts">
      {acts.map(([words, act]) => (
        <button key={words} class="btn btn-quiet" onClick={act}>
          {words}
        </button>
      ))}
    </div>
  );
}
