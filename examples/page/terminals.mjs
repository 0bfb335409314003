/**
 * Keeps a list of all terminals current: reads the overview once, then follows the events. Runs in browsers and in Node.
 * Calls `show` with the terminals whenever something has changed.
 */
export async function followTerminals(client, show, signal) {
  let terminals = new Map();
  const read = async () => {
    const overview = await client.overview({ limit: 1000 });
    terminals = new Map(overview.terminals.map((terminal) => [terminal.terminalId, terminal]));
    show([...terminals.values()]);
  };
  // The events are requested first, so that nothing is missed between the two.
  let first;
  const onState = (state) => {
    if (state === 'open') first ??= read();
  };
  for await (const { event } of client.events({ signal, onState })) {
    await first;
    const terminal = terminals.get(event.terminalId);
    if (terminal === undefined || event.type === 'reset') {
      await read();
      continue;
    }
    if (event.type === 'removed') terminals.delete(event.terminalId);
    else terminals.set(event.terminalId, { ...terminal, ...changes(event) });
    show([...terminals.values()]);
  }
}

/** The fields of a terminal that an event changes. */
function changes(event) {
  if (event.type === 'changed') return event.terminal;
  if (event.type === 'command') return { lastCommand: event.command };
  if (event.type === 'waiting') return { waiting: event.waiting };
  if (event.type === 'answered') return { waiting: null };
  if (event.type === 'control') return { holder: event.holder };
  if (event.type === 'ended') return { status: 'exited', waiting: null, endedBy: event.endedBy };
  return {};
}
