/** Renders the states of commands next to the lines that they were typed in. A click selects the command. */
import { plain } from '../store/naming.js';
import { stateOfCommand } from '../store/state-of.js';
import { now } from '../store/store.js';
import { StateGlyph } from '../ui/icon.js';
import type { LiveView } from './live-view.js';
import { glyphsIn } from './rows.js';
import { chosen } from './timeline.js';

/** Hidden from screen readers and the keyboard, which have the same commands in the timeline. */
export function Gutter({ view }: { view: LiveView }) {
  const viewport = view.viewport.value;
  if (viewport === null || viewport.isFullScreen) return null;
  const { first, above, rows, cell } = viewport;
  const commands = new Map(view.commands.value.map((each) => [each.commandId, each]));
  return (
    <div class="gutter no-phone" aria-hidden="true">
      {glyphsIn(view.marks.value, first, above + rows).map(({ commandId, index }) => {
        const command = commands.get(commandId);
        if (command === undefined) return null;
        const { glyph, words } = stateOfCommand(command, now.value);
        return (
          <button
            key={commandId}
            tabIndex={-1}
            title={`${plain(command.text)} · ${words}`}
            style={{ top: `${index * cell.height}px`, height: `${cell.height}px` }}
            onClick={() => (chosen.value = commandId)}
          >
            <StateGlyph glyph={glyph} />
          </button>
        );
      })}
    </div>
  );
}
