/** Renders the command whose output the topmost line shown belongs to, above the terminal. */
import type { CommandRecord } from '../../../src/contract/command.js';
import { plain } from '../store/naming.js';
import { stateOfCommand } from '../store/state-of.js';
import { now } from '../store/store.js';
import { timeOfDay } from '../ui/durations.js';
import { Icon, StateGlyph } from '../ui/icon.js';
import { copyOutput, jumpTo } from './acts.js';
import type { LiveView } from './live-view.js';
import { attempt } from './more.js';
import { ownerOf } from './rows.js';

function commandAtTop(view: LiveView): CommandRecord | null {
  const viewport = view.viewport.value;
  const commands = view.commands.value;
  if (viewport === null) return null;
  if (viewport.isFullScreen) return commands.findLast(({ ended }) => ended === null) ?? null;
  const owner = ownerOf(view.marks.value, viewport.first);
  return commands.find(({ commandId }) => commandId === owner) ?? null;
}

/** Takes the same space whether or not there is such a command, so that the terminal never moves. */
export function Stick({ view }: { view: LiveView }) {
  if (view.commands.value.length === 0) return null;
  const command = commandAtTop(view);
  return <div class="stick no-phone">{command !== null && <About {...{ command, view }} />}</div>;
}

function About({ command, view }: { command: CommandRecord; view: LiveView }) {
  const { glyph, isBad, words } = stateOfCommand(command, now.value);
  return (
    <>
      <StateGlyph glyph={glyph} />
      <span class="mono cut">{plain(command.text)}</span>
      <span class={isBad ? 'nowrap c-bad' : 'nowrap'}>{words}</span>
      <span class="nowrap dim">{timeOfDay(command.started)}</span>
      <span class="grow" />
      <button class="btn btn-quiet" onClick={() => jumpTo(view, command)}>
        <Icon name="up" />
        To its start
      </button>
      <button class="btn btn-quiet" onClick={() => attempt(copyOutput(command))}>
        <Icon name="copy" />
        Copy output
      </button>
    </>
  );
}
