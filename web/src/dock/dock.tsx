/**
 * Renders the row below a terminal whose program is asking a question: the program, its prompt, and the answer form.
 */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { asks, stateOf, wanted } from '../store/state-of.js';
import { plain } from '../store/naming.js';
import { StateGlyph } from '../ui/icon.js';
import { AnswerForm, useAnswer, type Question } from './answer-form.js';

const SECRET_WORDS =
  'Only the program receives it: it is not shown, logged or recorded, and the agent never sees it. Answering does not take over the terminal.';
const KEY_WORDS = 'Typed exactly as entered, without Enter. Answering does not take over the terminal.';
const LINE_WORDS = 'Typed exactly as entered, followed by Enter. Answering does not take over the terminal.';

export function Dock({ terminal }: { terminal: OverviewTerminal }) {
  const { waiting, status } = terminal;
  if (status !== 'active' || !asks(waiting)) return null;
  return <AskingDock key={waiting.id} terminal={terminal} waiting={waiting} />;
}

function AskingDock({ terminal, waiting }: { terminal: OverviewTerminal; waiting: Question }) {
  const { field, send } = useAnswer({ terminal, waiting });
  const words = waiting.kind === 'password' ? SECRET_WORDS : waiting.kind === 'key' ? KEY_WORDS : LINE_WORDS;
  return (
    <form class="dock" onSubmit={send}>
      <StateGlyph glyph={stateOf(terminal, 0).glyph} />
      <div>
        <b class="strong">
          {plain(waiting.by)} asks for {wanted(waiting)}
        </b>{' '}
        <span class="mono sub">{plain(waiting.prompt)}</span>
      </div>
      <AnswerForm {...{ terminal, waiting, field }} isMain />
      <p>{words}</p>
    </form>
  );
}
