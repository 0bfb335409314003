/** Renders the toolbar of a history: find, fold all, how lines are shown, and going to a line. */
import type { Signal } from '@preact/signals';
import { count } from '../ui/durations.js';
import { Icon } from '../ui/icon.js';
import { Toggle } from '../ui/toggle.js';
import { find, searchOn, step, type Finding } from './finding.js';
import type { Shared } from './lines.js';
import { foldAll, goToLines, type Reading } from './reading.js';
import { pinTopLine, type Scroller } from './scroller.js';
import { hasColours, hasTimes, isWrapped } from './showing.js';

const SHOWING: readonly (readonly [string, Signal<boolean>])[] = [
  ['Wrap', isWrapped],
  ['Times', hasTimes],
  ['Colours', hasColours],
];

/** Goes to a line, a quarter down the view. */
export function goToLine({ reading, height }: Scroller, line: number): void {
  goToLines(reading, { from: line, to: line }, height.peek() / 4);
}

export function stepMatch({ finding, scroller }: Shared, by: 1 | -1): void {
  const line = step(finding, by);
  if (line !== null) goToLine(scroller, line);
}

/** Says how many lines match: `2 of 8`, and whether that is all. */
function countWords(finding: Finding): string {
  const { pattern, matches, current, state } = finding;
  if (pattern.value === null) return '';
  const place = current.value < 0 ? '' : `${count(current.value + 1)} of `;
  const rest = state.value === 'searching' ? ' so far …' : state.value === 'stopped' ? ', not all' : '';
  return `${place}${count(matches.value.length)}${rest}`;
}

/** Finds from the line at the top of the view on, and goes to the first match as soon as it is found. */
async function startFinding({ finding, reading, scroller }: Shared, text: string): Promise<void> {
  const position = reading.position.peek();
  const from = position === 'end' ? 0 : (position.line ?? 0);
  const search = find(finding, text, from);
  let isGone = false;
  const stop = finding.current.subscribe((index) => {
    if (index < 0 || isGone) return;
    isGone = true;
    goToLine(scroller, finding.matches.peek()[index]!);
  });
  await search;
  stop();
}

export function Tools(shared: Shared) {
  const { finding, reading } = shared;
  return (
    <>
      <div class="tool">
        <Find {...shared} />
        <div class="right no-phone">
          <button class="btn btn-quiet" onClick={() => foldAll(reading)}>
            Fold all
          </button>
          <div class="seg" role="group" aria-label="Show">
            {SHOWING.map(([words, value]) => (
              <button key={words} aria-pressed={value.value} onClick={() => showOtherwise(shared, value)}>
                {words}
              </button>
            ))}
          </div>
          <GoTo {...shared} />
        </div>
      </div>
      <Problem finding={finding} reading={reading} />
    </>
  );
}

/** The heights of all lines may change, but the line at the top stays there. */
function showOtherwise({ scroller }: Shared, value: Signal<boolean>): void {
  pinTopLine(scroller);
  value.value = !value.peek();
  scroller.reading.heights.clear();
  scroller.reading.measured.value++;
}

function Find(shared: Shared) {
  const { finding } = shared;
  const start = (text: string): void => void startFinding(shared, text);
  const search = (event: Event): void => {
    event.preventDefault();
    const text = new FormData(event.currentTarget as HTMLFormElement).get('text') as string;
    if (text === finding.pattern.peek()?.text) stepMatch(shared, 1);
    else start(text);
  };
  const toggle = (value: Signal<boolean>): void => {
    value.value = !value.peek();
    const pattern = finding.pattern.peek();
    if (pattern !== null) start(pattern.text);
  };
  return (
    <>
      <form onSubmit={search}>
        <label class="field find">
          <Icon name="search" />
          <span class="vh">Search this history</span>
          <input
            type="search"
            name="text"
            data-find
            onInput={(event) => event.currentTarget.value === '' && start('')}
          />
          <span class="dim nowrap" role="status">
            {countWords(finding)}
          </span>
        </label>
      </form>
      <button class="btn btn-icon" aria-label="Previous match" onClick={() => stepMatch(shared, -1)}>
        <Icon name="up" />
      </button>
      <button class="btn btn-icon" aria-label="Next match" onClick={() => stepMatch(shared, 1)}>
        <Icon name="down" />
      </button>
      <div class="seg" role="group" aria-label="How to match">
        <Toggle name="Match case" sign="Aa" value={finding.matchesCase} toggle={toggle} />
        <Toggle name="Regular expression" sign=".*" value={finding.isRegex} toggle={toggle} />
      </div>
    </>
  );
}

function GoTo({ reading, scroller }: Shared) {
  const go = (event: Event): void => {
    event.preventDefault();
    const text = new FormData(event.currentTarget as HTMLFormElement).get('line') as string;
    const { from = 0, to = 0 } = reading.held.peek() ?? {};
    const line = Number(text.replaceAll(',', ''));
    if (text !== '' && Number.isInteger(line)) goToLine(scroller, Math.min(to, Math.max(from, line)));
  };
  return (
    <form onSubmit={go}>
      <label class="field field-soft goto">
        <Icon name="hash" />
        <span class="vh">Go to line</span>
        <input name="line" inputMode="numeric" placeholder="Line" size={9} />
      </label>
    </form>
  );
}

/** Says what failed or is incomplete, and offers to go on. */
function Problem({ finding, reading }: { finding: Finding; reading: Reading }) {
  const isStopped = finding.pattern.value !== null && finding.state.value === 'stopped';
  const { value: problem } = reading.problem;
  if (!isStopped && problem === '') return null;
  const words = problem !== '' ? problem : finding.problem.value;
  const goOn = (): void => (problem !== '' ? reading.windows.refresh() : void searchOn(finding, 0));
  return (
    <div class="banner banner-wait" role="status">
      <div class="grow">
        {words !== '' ? words : `The search stopped after ${count(finding.matches.value.length)} lines that match.`}
      </div>
      <button class="btn" onClick={goOn}>
        {problem !== '' ? 'Try again' : 'Go on'}
      </button>
    </div>
  );
}
