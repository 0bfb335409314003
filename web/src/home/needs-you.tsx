/**
 * Renders the terminals that are waiting for the user, the longest-waiting first. Questions can be answered in place.
 */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { AnswerForm, useAnswer, type Question } from '../dock/answer-form.js';
import { pathOf } from '../routing/route.js';
import { plain, wholeName } from '../store/naming.js';
import { stateOf, wanted } from '../store/state-of.js';
import { needing, now } from '../store/store.js';
import { age } from '../ui/durations.js';
import { StateGlyph } from '../ui/icon.js';

export function NeedsYou() {
  const waiting = needing.value;
  if (waiting.length === 0) return null;
  return (
    <section aria-labelledby="needs">
      <div class="sect">
        <h2 id="needs">Needs you</h2> <span class="count">{waiting.length}</span>{' '}
        <span class="dim no-phone">
          Answering does not take over the terminal. <kbd>a</kbd> goes to the next.
        </span>
      </div>
      <div class="needs">
        {waiting.map((each) => (
          <Need key={each.waiting!.id} terminal={each} waiting={each.waiting!} />
        ))}
      </div>
    </section>
  );
}

function Need({ terminal, waiting }: { terminal: OverviewTerminal; waiting: Question }) {
  const { field, send } = useAnswer({ terminal, waiting });
  const { lastCommand } = terminal;
  return (
    <form class="need" onSubmit={send}>
      <StateGlyph glyph={stateOf(terminal, 0).glyph} />
      <div class="cut">
        <a class="plain strong" href={pathOf(terminal.id)}>
          {wholeName(terminal)}
        </a>{' '}
        <span class="sub">
          {plain(waiting.by)} asks for {wanted(waiting)}
        </span>
      </div>
      <div class="ask cut">
        {lastCommand !== null && <span class="from">{plain(lastCommand.text)} › </span>}
        {plain(waiting.prompt)}
      </div>
      <AnswerForm {...{ terminal, waiting, field }} age={age(now.value - Date.parse(waiting.since))} />
    </form>
  );
}
