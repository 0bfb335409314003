/** Decides which changes of the terminals to announce: new questions, failed commands, and terminals that end. Pure. */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import type { Fleet } from './fleet.js';
import { plain, wholeName } from './naming.js';
import { questionWords } from './notable.js';
import { stateOf } from './state-of.js';

const MAX_CHARS = 80;

export function announcementsOf(before: Fleet, after: Fleet): string[] {
  return [...after.values()].flatMap((terminal) => {
    const known = before.get(terminal.id);
    if (known === undefined || known === terminal) return [];
    return [questionOf(known, terminal), failureOf(known, terminal), endOf(known, terminal)].filter(
      (words) => words !== null,
    );
  });
}

function questionOf(known: OverviewTerminal, terminal: OverviewTerminal): string | null {
  const words = questionWords(known, terminal);
  return words === null ? null : `${wholeName(terminal)} ${words}`;
}

function failureOf(known: OverviewTerminal, { lastCommand }: OverviewTerminal): string | null {
  if (!lastCommand?.ended || !lastCommand.exitCode) return null;
  const wasKnown = known.lastCommand?.commandId === lastCommand.commandId && known.lastCommand.ended !== null;
  if (wasKnown) return null;
  return `${plain(lastCommand.text).slice(0, MAX_CHARS)} failed with exit code ${lastCommand.exitCode}`;
}

function endOf(known: OverviewTerminal, terminal: OverviewTerminal): string | null {
  if (known.status !== 'active' || terminal.status === 'active') return null;
  return `${wholeName(terminal)} ${stateOf(terminal, 0).words}`;
}
