/** Renders a search across all terminals: printed lines, commands and terminals, as soon as they are found. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { route } from '../routing/place.js';
import { pathOf } from '../routing/route.js';
import { plain } from '../store/naming.js';
import { stateOf, stateOfCommand } from '../store/state-of.js';
import { fleet, now, terminals } from '../store/store.js';
import { count, counted } from '../ui/durations.js';
import { Icon, StateGlyph } from '../ui/icon.js';
import { Line } from '../ui/line.js';
import { MarkedLine } from '../ui/marked-line.js';
import { Toggle } from '../ui/toggle.js';
import { Bar } from './bar.js';
import { matchingTerminals } from './matching-terminals.js';
import { EndedRows, LiveRows } from './rows.js';
import * as search from './search.js';
import { searchWords } from './search-words.js';
import { Name } from './tile.js';

/** Number of lines per terminal that are shown at first, and of commands. */
const SHOWN = 4;
const MORE = 100;
const MAX_COMMANDS = 500;

type Kind = 'lines' | 'commands' | 'terminals';
const kind = signal<Kind>('lines');

function counts() {
  const { lines, complete, searchedLines, ms } = search.found.value;
  const matches = [...lines.values()].reduce((sum, each) => sum + each.length, 0);
  const text = search.pattern.value?.text ?? '';
  const rest = { complete: complete.size, terminals: search.total.value, searchedLines, ms };
  return { state: search.state.value, text, lines: matches, inTerminals: lines.size, ...rest };
}

export function SearchPage() {
  const text = route.value.query['q'] ?? '';
  const { isRegex, matchesCase } = search;
  const [isExpression, isExact] = [isRegex.value, matchesCase.value];
  useEffect(() => {
    search.startSearch(text);
    return search.stopSearch;
  }, [text, isExpression, isExact]);
  return (
    <div class="view is-on">
      <Bar />
      <Kinds />
      <main class="scroll" id="main" tabIndex={-1}>
        <h1 class="vh">Search</h1>
        <div class="found">
          {kind.value === 'lines' && <FoundLines />}
          {kind.value === 'commands' && <FoundCommands />}
          {kind.value === 'terminals' && <FoundTerminals />}
        </div>
      </main>
    </div>
  );
}

function Kinds() {
  const { isRegex, matchesCase, found, pattern } = search;
  const kinds: readonly (readonly [Kind, string, number])[] = [
    ['lines', 'Printed lines', counts().lines],
    ['commands', 'Commands', found.value.commands.length],
    ['terminals', 'Terminals', matchingTerminals(terminals.value, pattern.value).length],
  ];
  const toggle = (value: typeof isRegex): void => {
    value.value = !value.peek();
  };
  return (
    <nav class="filters" aria-label="What to show">
      <div class="tabs">
        {kinds.map(([each, words, number]) => (
          <button
            key={each}
            {...(kind.value === each ? { 'aria-current': true as const } : {})}
            onClick={() => (kind.value = each)}
          >
            {words} <span class="n">{count(number)}</span>
          </button>
        ))}
      </div>
      <div class="right">
        <div class="seg" role="group" aria-label="How to match">
          <Toggle name="Match case" sign="Aa" value={matchesCase} toggle={toggle} />
          <Toggle name="Regular expression" sign=".*" value={isRegex} toggle={toggle} />
        </div>
      </div>
    </nav>
  );
}

function Said() {
  const { problem, state, found } = search;
  return (
    <>
      <p class="sub" role="status">
        {problem.value !== '' ? problem.value : searchWords(counts())}{' '}
        {state.value === 'stopped' && search.pattern.value !== null && (
          <button class="btn" onClick={() => void search.searchOn()}>
            Go on
          </button>
        )}
      </p>
      {found.value.skipped.map(({ terminalId, message }) => (
        <p key={terminalId} class="sub">
          {terminalId} could not be searched: {message}
        </p>
      ))}
    </>
  );
}

function FoundLines() {
  const { lines } = search.found.value;
  // In the order of the terminals, whenever their lines are found.
  const shown = terminals.value.filter(({ id }) => lines.has(id));
  return (
    <>
      <Said />
      {shown.map((terminal) => (
        <Hits key={terminal.id} terminal={terminal} hits={[...lines.get(terminal.id)!]} />
      ))}
    </>
  );
}

const extents = signal<ReadonlyMap<string, number>>(new Map());

function Hits({ terminal, hits }: { terminal: OverviewTerminal; hits: readonly search.FoundLine[] }) {
  const { id, lastCommand } = terminal;
  const shown = hits.slice(0, extents.value.get(id) ?? SHOWN);
  const state = stateOf(terminal, now.value);
  const more = hits.length - shown.length;
  return (
    <section class="hit">
      <header>
        <StateGlyph glyph={state.glyph} isBad={state.isBad} />
        <a class="plain strong nowrap" href={pathOf(id, 'history')}>
          <Name terminal={terminal} />
        </a>
        <span class="mono sub cut">{plain(lastCommand?.text ?? '')}</span>
        <span class="grow" />
        <span class="dim nowrap">{counted(hits.length, 'line')}</span>
        <a class="btn btn-quiet" href={pathOf(id, 'history')}>
          Read
        </a>
      </header>
      <div class="lines">
        {shown.map(({ line, text }, index) => (
          <div class="ln" key={index}>
            <a href={`${pathOf(id, 'history')}#L${line}`}>{count(line)}</a>
            <span>
              <Marked text={text} />
            </span>
          </div>
        ))}
      </div>
      {more > 0 && (
        <footer>
          <button
            class="btn btn-quiet"
            onClick={() => (extents.value = new Map(extents.peek()).set(id, shown.length + MORE))}
          >
            {count(more)} more <Icon name="down" />
          </button>
        </footer>
      )}
    </section>
  );
}

function Marked({ text }: { text: string }) {
  const expression = search.expression.value;
  return expression === null ? <Line text={text} /> : <MarkedLine {...{ text, expression }} />;
}

function FoundCommands() {
  const { commands } = search.found.value;
  const shown = commands.slice(0, MAX_COMMANDS);
  return (
    <>
      <Said />
      {shown.map((command) => {
        const { terminalId, commandId, text, fromLine } = command;
        const terminal = fleet.value.get(terminalId);
        const state = stateOfCommand(command, command.ended === null ? now.value : 0);
        return (
          <div class="trow found-command" key={`${terminalId} ${commandId}`}>
            <StateGlyph glyph={state.glyph} isBad={state.isBad} />
            <a class="mono cut" href={`${pathOf(terminalId, 'history')}#L${fromLine}`}>
              <Marked text={plain(text)} />
            </a>
            <span class="cut sub">{terminal && <Name terminal={terminal} />}</span>
            <span class="num">{state.words}</span>
          </div>
        );
      })}
      {commands.length > shown.length && <p class="sub">The first {counted(shown.length, 'command')} are shown.</p>}
    </>
  );
}

function FoundTerminals() {
  const matching = matchingTerminals(terminals.value, search.pattern.value);
  const live = matching.filter(({ status }) => status === 'active');
  const over = matching.filter(({ status }) => status !== 'active');
  const text = search.pattern.value?.text ?? '';
  if (matching.length === 0)
    return <p class="sub">No terminal has “{text}” in its name, labels, program or directory.</p>;
  return (
    <>
      {live.length > 0 && <LiveRows terminals={live} />}
      {over.length > 0 && <EndedRows terminals={over} />}
    </>
  );
}
