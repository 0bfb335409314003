/**
 * Holds the state of reading one history: the lines that the server holds, the commands, what is folded and selected,
 * and the layout that follows from these.
 */
import { computed, signal } from '@preact/signals';
import type { CommandRecord } from '../../../src/contract/command.js';
import type { TerminalStats } from '../../../src/contract/output.js';
import { client } from '../access.js';
import { withCommand } from '../terminal/command-list.js';
import { itemsOf, layoutOf, type Anchor, type Measured, type Measures } from './layout.js';
import { EDGES, isFolded, keyOf, pinOf, sectionsOf, shownParts, type Extent, type Range } from './sections.js';
import { openWindows } from './windows.js';

const MAX_COMMANDS = 1000;

/** Where the view is: at the end, which it then follows, or at a place that stays where it is. */
export type Position = Anchor | 'end';

function stateOf(id: string) {
  return {
    id,
    held: signal<Range | null>(null),
    stats: signal<TerminalStats | null>(null),
    commands: signal<readonly CommandRecord[]>([]),
    /** Sections that the user folded or unfolded. */
    folds: signal<ReadonlyMap<string, boolean>>(new Map()),
    extents: signal<ReadonlyMap<string, Extent>>(new Map()),
    /** The lines that were gone to, which are shown even if they are in the hidden part of a section. */
    target: signal<Range | null>(null),
    chosen: signal<Range | null>(null),
    position: signal<Position>('end'),
    /** Why lines could not be read. */
    problem: signal(''),
    heights: new Map<number, Measured>(),
    /** Changes whenever `heights` does. */
    measured: signal(0),
    measures: signal<Measures>({ head: 32, line: 19 }),
    /** The first line of the end of a long section that is still growing, so that lines do not vanish while read. */
    pins: new Map<string, number>(),
  };
}
type State = ReturnType<typeof stateOf>;

export function openReading(id: string) {
  const state = stateOf(id);
  const sections = computed(() =>
    state.held.value === null ? [] : sectionsOf(state.commands.value, state.held.value),
  );
  const items = computed(() => {
    const hasNotice = (state.stats.value?.history.droppedLines ?? 0) > 0;
    return itemsOf(sections.value, (each) => partsOf(state, each), hasNotice);
  });
  const layout = computed(() => {
    void state.measured.value;
    return layoutOf(sections.value, items.value, state.heights, state.measures.value);
  });
  return { ...state, sections, layout, windows: openWindows(id, state) };
}
export type Reading = ReturnType<typeof openReading>;

type Section = ReturnType<typeof sectionsOf>[number];

export function isClosed({ folds, target }: Pick<State, 'folds' | 'target'>, section: Section): boolean {
  return folds.value.get(keyOf(section)) ?? isFolded(section, target.value);
}

function partsOf(state: State, section: Section): Range[] {
  if (isClosed(state, section)) return [];
  const extent = state.extents.value.get(keyOf(section)) ?? EDGES;
  const tail = Math.max(extent.tail, section.to - pinFor(state, section) + 1);
  return shownParts(section, { head: extent.head, tail }, state.target.value);
}

/** Returns from which line on the end of a section stays shown while the section grows. */
function pinFor({ pins, position, held }: State, section: Section): number {
  const key = keyOf(section);
  if (section.to !== held.value?.to) return pins.get(key) ?? section.to + 1;
  const pin = pinOf(section, pins.get(key), position.peek() === 'end');
  pins.set(key, pin);
  return pin;
}

/** Reads the range of lines that the server holds, and all commands. */
export async function look(reading: Reading): Promise<void> {
  const { lastCommand } = await client.get(reading.id);
  const pages = Math.ceil((lastCommand?.commandId ?? 0) / MAX_COMMANDS);
  const read = await Promise.all(
    Array.from({ length: pages }, (_, page) =>
      client.commands(reading.id, { after: page * MAX_COMMANDS, limit: MAX_COMMANDS }),
    ),
  );
  reading.commands.value = mergedCommands(
    read.flatMap(({ commands }) => commands),
    reading.commands.peek(),
  );
  await lookAtStats(reading);
}

/** Events may have reported commands, or their ends, since the commands were read. */
function mergedCommands(read: readonly CommandRecord[], known: readonly CommandRecord[]): CommandRecord[] {
  const merged = new Map(read.map((command) => [command.commandId, command]));
  for (const command of known) {
    const isNewer = command.ended !== null && merged.get(command.commandId)?.ended === null;
    if (isNewer || command.commandId > (read.at(-1)?.commandId ?? 0)) merged.set(command.commandId, command);
  }
  return [...merged.values()].sort((a, b) => a.commandId - b.commandId);
}

export async function lookAtStats(reading: Pick<Reading, 'id' | 'stats' | 'held'>): Promise<void> {
  const stats = await client.stats(reading.id);
  reading.stats.value = stats;
  reading.held.value = { from: stats.oldestLine, to: stats.newestLine };
}

/** Takes up a command that has begun or ended. A section that is open stays open when its command ends. */
export function noteCommand(reading: Reading, command: CommandRecord): void {
  const key = String(command.commandId);
  const section = reading.sections.peek().find((each) => keyOf(each) === key);
  const isOpen = section !== undefined && !isClosed(reading, section);
  if (isOpen && !reading.folds.peek().has(key)) setFold(reading, key, false);
  reading.commands.value = withCommand(reading.commands.peek(), command);
}

export function setFold(reading: Reading, key: string, isFolded: boolean): void {
  reading.folds.value = new Map(reading.folds.peek()).set(key, isFolded);
}

export function foldAll(reading: Reading): void {
  reading.target.value = null;
  reading.folds.value = new Map(reading.sections.peek().map((section) => [keyOf(section), true]));
}

/** Shows more lines of a section. */
export function extend(reading: Reading, section: Section, head: number, tail: number): void {
  const extent = reading.extents.peek().get(keyOf(section)) ?? EDGES;
  const next = { head: extent.head + head, tail: extent.tail + tail };
  reading.extents.value = new Map(reading.extents.peek()).set(keyOf(section), next);
}

/** Goes to these lines, and opens the section that contains them. `above` is the height to leave above them. */
export function goToLines(reading: Reading, range: Range, above: number): void {
  const section = reading.sections.peek().find(({ from, to }) => range.from >= from && range.from <= to);
  if (section === undefined) return;
  if (reading.folds.peek().get(keyOf(section)) === true) setFold(reading, keyOf(section), false);
  reading.target.value = range;
  reading.position.value = { section: keyOf(section), line: range.from, delta: -above, isExact: true };
}
