/** The row below a terminal while its program asks a question: the program, the prompt as printed, and the answer. */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { asks, stateOf, wanted } from '../store/state-of.js';
import { plain } from '../store/naming.js';
import { StateGlyph } from '../ui/icon.js';
import { AnswerForm, useAnswer, type Question } from './answer-form.js';

const SECRET_WORDS =
  'It goes to the program and nowhere else: not shown, logged or recorded, and the agent never sees it. Answering does not take over.';
const KEY_WORDS = 'It is typed as it stands, without Enter. Answering does not take over.';
const LINE_WORDS = 'It is typed as it stands, with Enter. Answering does not take over.';

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
