/** Exposes the live connection of an open terminal, and what it reports, as signals. */
import { signal } from '@preact/signals';
import type { LiveMessage, LiveOptions, LiveTerminal } from 'tenacitty/client';
import type { CommandRecord } from '../../../src/contract/command.js';
import type { Holder } from '../../../src/contract/control.js';
import { client, liveSocket, me } from '../access.js';
import { asOf, withCommand } from './command-list.js';
import { CommandMarker } from './command-marks.js';
import type { Emulator } from './emulator.js';
import { keepErasedRows } from './erasures.js';
import { afterControl, afterHello, NO_HOLD, type Hold } from './hold.js';
import { readLinesAbove } from './lines-above.js';
import type { CommandMarks } from './rows.js';
import type { Viewport } from './viewport.js';

const MAX_COMMANDS = 1000;

export function openLive(id: string) {
  const view = {
    id,
    state: signal<'connecting' | 'open' | 'lost' | 'closed'>('connecting'),
    /** Why the connection was closed for good. */
    reason: signal<string | null>(null),
    lostAt: signal<number | null>(null),
    holder: signal<Holder>(null),
    hold: signal<Hold>(NO_HOLD),
    viewers: signal<readonly string[]>([]),
    size: signal({ cols: 80, rows: 24 }),
    /** Number of bytes that were skipped because the program printed too much. */
    gap: signal(0),
    commands: signal<readonly CommandRecord[]>([]),
    /** Whether the commands of the program are known. */
    isFollowed: signal(true),
    /** The commands whose rows are known, and the rows shown. */
    marks: signal<readonly CommandMarks[]>([]),
    viewport: signal<Viewport | null>(null),
    /** The text that the program wants to copy. */
    offered: signal<string | null>(null),
    said: signal(''),
    /** How to type, shown after a key that had no effect. */
    hint: signal(''),
    /** The first line that could still change, before the connection was opened; null if unknown. */
    mutableFrom: null as number | null,
    live: null as LiveTerminal | null,
    emulator: null as Emulator | null,
    marker: null as CommandMarker | null,
  };
  return view;
}
export type LiveView = ReturnType<typeof openLive>;

/** Connects the emulator: shows the terminal's output, and sends what this page types while it holds the terminal. */
export function connect(view: LiveView, emulator: Emulator): void {
  view.emulator = emulator;
  const marker = (view.marker = new CommandMarker(emulator.terminal, view.marks));
  keepErasedRows(emulator.terminal, () => marker.clear());
  let commands: Promise<unknown> | null = null;
  const live = client.live(view.id, {
    onOutput: (bytes) => emulator.write(bytes),
    onSnapshot: (snapshot) => {
      // Read after the first snapshot, so that no command before it is missing. Messages report the later ones.
      commands ??= readCommands(view).catch(() => undefined);
      return paint(view, { emulator, marker, snapshot, commands });
    },
    onMessage: (message) => take(view, message),
    onState: (state, reason) => noteState(view, state, reason),
    WebSocket: liveSocket,
    ...(me.value ? { name: me.value.name } : {}),
  });
  view.live = live;
  emulator.onChange(() => look(view));
  emulator.terminal.onData((text) => {
    if (view.hold.peek().since === null) return;
    live.type(text).catch((error: unknown) => {
      view.said.value = error instanceof Error ? error.message : 'Not typed.';
    });
  });
}

/** Notes which rows are shown. */
export function look(view: LiveView): void {
  view.viewport.value = view.emulator?.viewport() ?? null;
}

interface Painting {
  readonly emulator: Emulator;
  readonly marker: CommandMarker;
  readonly snapshot: Parameters<LiveOptions['onSnapshot']>[0];
  readonly commands: Promise<unknown>;
}

/** Shows a snapshot below the history above it, and marks the commands in both. */
function paint(view: LiveView, { emulator, marker, snapshot, commands }: Painting): Promise<void> {
  view.size.value = { cols: snapshot.cols, rows: snapshot.rows };
  const above = readLinesAbove(view.id, snapshot, view.mutableFrom);
  const lines = commands.then(() => above);
  return emulator.paint(snapshot, lines, (shown) => {
    marker.clear();
    if (shown !== null) marker.place(asOf(view.commands.peek(), snapshot.at), shown);
    emulator.fitText();
  });
}

async function readCommands(view: LiveView): Promise<void> {
  const { lastCommand, integrated } = await client.get(view.id);
  view.isFollowed.value = integrated;
  const after = Math.max(0, (lastCommand?.commandId ?? 0) - MAX_COMMANDS);
  const { commands } = await client.commands(view.id, { after, limit: MAX_COMMANDS });
  view.commands.value = view.commands.peek().reduce(withCommand, commands);
}

function noteState(view: LiveView, state: 'open' | 'lost' | 'closed', reason: string | null): void {
  view.state.value = state;
  view.reason.value = reason;
  if (state === 'open') view.lostAt.value = null;
  else view.lostAt.value ??= Date.now();
}

function noteHolder(view: LiveView, holder: Holder, next: Hold): void {
  const before = view.hold.peek();
  if (before.since !== null && next.since === null && holder !== null)
    view.said.value = `${holder.name} has taken over.`;
  view.holder.value = holder;
  view.hold.value = next;
  if (view.emulator) view.emulator.terminal.options.disableStdin = next.since === null;
  view.hint.value = '';
  if (before.since !== null || next.since === null || !view.emulator) return;
  view.emulator.terminal.scrollToBottom();
  view.emulator.terminal.focus();
}

function take(view: LiveView, message: LiveMessage): void {
  const hold = view.hold.peek();
  if (message.type === 'hello') noteHolder(view, message.holder, afterHello(hold, message.holder?.since ?? null));
  else if (message.type === 'control')
    noteHolder(view, message.holder, afterControl(hold, message.holder?.since ?? null));
  else if (message.type === 'size') resized(view, message);
  else if (message.type === 'presence') view.viewers.value = message.viewers.map(({ name }) => name);
  else if (message.type === 'command') noteCommand(view, message);
  else if (message.type === 'gap') view.gap.value += message.to - message.from;
  else if (message.type === 'error') view.said.value = message.message;
}

function noteCommand(view: LiveView, { phase, command }: Extract<LiveMessage, { type: 'command' }>): void {
  view.commands.value = withCommand(view.commands.peek(), command);
  view.isFollowed.value = true;
  const { emulator, marker } = view;
  void emulator?.afterOutput(() => {
    if (phase === 'began') marker?.began(command);
    else marker?.ended(command);
  });
}

function resized(view: LiveView, { cols, rows }: { cols: number; rows: number }): void {
  view.size.value = { cols, rows };
  const { emulator } = view;
  void emulator?.afterOutput(() => {
    emulator.terminal.resize(cols, rows);
    emulator.fitText();
  });
}

/** Scrolls to the line that a command was typed in. Returns false if the emulator does not have it. */
export function scrollTo(view: LiveView, commandId: number): boolean {
  const row = view.marks.peek().find((each) => each.commandId === commandId)?.typed?.line ?? -1;
  const viewport = view.viewport.peek();
  if (row < 0 || viewport === null || viewport.isFullScreen) return false;
  view.emulator?.terminal.scrollToLine(row + viewport.above);
  return true;
}

/** Names the others who are watching. */
export function otherViewers({ viewers }: LiveView): string[] {
  const mine = viewers.value.indexOf(me.value?.name ?? '');
  return viewers.value.filter((_, index) => index !== mine);
}

export function takeOver(view: LiveView): void {
  view.said.value = '';
  view.hint.value = '';
  view.hold.value = { ...view.hold.peek(), isAsked: true };
  view.live?.take();
}

export function handBack(view: LiveView): void {
  view.live?.release();
  view.hold.value = NO_HOLD;
  if (view.emulator) view.emulator.terminal.options.disableStdin = true;
}

export function close(view: LiveView): void {
  view.live?.close();
  view.emulator?.dispose();
  view.emulator = null;
}
