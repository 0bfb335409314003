/** Exposes the live connection of an open terminal, and what it reports, as signals. */
import { signal } from '@preact/signals';
import type { LiveMessage, LiveTerminal } from 'tenacitty/client';
import type { CommandRecord } from '../../../src/contract/command.js';
import type { Holder } from '../../../src/contract/control.js';
import { client, liveSocket, me } from '../access.js';
import { withCommand } from './command-list.js';
import type { Emulator } from './emulator.js';
import { afterControl, afterHello, NO_HOLD, type Hold } from './hold.js';

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
    /** The text that the program wants to copy. */
    offered: signal<string | null>(null),
    said: signal(''),
    live: null as LiveTerminal | null,
    emulator: null as Emulator | null,
  };
  return view;
}
export type LiveView = ReturnType<typeof openLive>;

/** Connects the emulator: shows the terminal's output, and sends what this page types while it holds the terminal. */
export function connect(view: LiveView, emulator: Emulator): void {
  view.emulator = emulator;
  const live = client.live(view.id, {
    onOutput: (bytes) => emulator.write(bytes),
    onSnapshot: ({ cols, rows, data }) => {
      view.size.value = { cols, rows };
      return emulator.reset(cols, rows, data);
    },
    onMessage: (message) => take(view, message),
    onState: (state, reason) => noteState(view, state, reason),
    WebSocket: liveSocket,
    ...(me.value ? { name: me.value.name } : {}),
  });
  view.live = live;
  emulator.terminal.onData((text) => {
    if (view.hold.peek().since === null) return;
    live.type(text).catch((error: unknown) => {
      view.said.value = error instanceof Error ? error.message : 'Not typed.';
    });
  });
  void readCommands(view);
}

async function readCommands(view: LiveView): Promise<void> {
  const last = await client.get(view.id).then(({ lastCommand }) => lastCommand?.commandId ?? 0);
  const after = Math.max(0, last - MAX_COMMANDS);
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
  if (before.since === null && next.since !== null) view.emulator?.terminal.focus();
}

function take(view: LiveView, message: LiveMessage): void {
  const hold = view.hold.peek();
  if (message.type === 'hello') noteHolder(view, message.holder, afterHello(hold, message.holder?.since ?? null));
  else if (message.type === 'control')
    noteHolder(view, message.holder, afterControl(hold, message.holder?.since ?? null));
  else if (message.type === 'size') resized(view, message);
  else if (message.type === 'presence') view.viewers.value = message.viewers.map(({ name }) => name);
  else if (message.type === 'command') view.commands.value = withCommand(view.commands.peek(), message.command);
  else if (message.type === 'gap') view.gap.value += message.to - message.from;
  else if (message.type === 'error') view.said.value = message.message;
}

function resized(view: LiveView, { cols, rows }: { cols: number; rows: number }): void {
  view.size.value = { cols, rows };
  view.emulator?.terminal.resize(cols, rows);
  view.emulator?.fitText();
}

export function takeOver(view: LiveView): void {
  view.said.value = '';
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
}
