/** Keeps an open history current, from the events of the page's store. */
import type { ManagerEvent } from '../../../src/contract/watch.js';
import { inView, onEvent } from '../store/store.js';
import { findNew, type Finding } from './finding.js';
import { look, lookAtStats, noteCommand, type Reading } from './reading.js';

/** Takes up new output and commands until the function that it returns is called. */
export function follow(reading: Reading, finding: Finding): () => void {
  inView.value = [...inView.peek(), reading.id];
  const note = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => {
      reading.problem.value = error instanceof Error ? error.message : 'The history could not be read.';
    });
  };
  reading.windows.onDropped = () => note(lookAtStats(reading));
  note(look(reading));
  const stop = onEvent((event) => {
    if (event.type === 'reset') note(look(reading).then(() => outputChanged(reading, finding)));
    else if (event.terminalId === reading.id) take(reading, finding, event);
    if (event.type === 'ended' && event.terminalId === reading.id) note(lookAtStats(reading));
  });
  return () => {
    stop();
    reading.windows.close();
    inView.value = inView.peek().filter((id) => id !== reading.id);
  };
}

function take(reading: Reading, finding: Finding, event: ManagerEvent): void {
  if (event.type === 'command') noteCommand(reading, event.command);
  if (event.type === 'ended') outputChanged(reading, finding);
  if (event.type === 'lines') {
    const held = reading.held.peek();
    if (held !== null && held.to !== event.totalLines - 1) reading.held.value = { ...held, to: event.totalLines - 1 };
    outputChanged(reading, finding);
  }
}

function outputChanged(reading: Reading, finding: Finding): void {
  reading.windows.refresh();
  void findNew(finding);
}
