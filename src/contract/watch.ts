/**
 * Defines the schemas for watching all terminals at once: the events, which of them a caller wants, and where the
 * caller continues. Contains no logic.
 */
import { z } from 'zod';
import { commandRecord } from './command.js';
import { holder } from './control.js';
import { endedBy } from './ending.js';
import { terminalLabels } from './labels.js';
import { terminalId, terminalStatus, terminalSummary } from './terminal.js';
import { waiting } from './waiting.js';

/** Number of events that each host keeps for callers that continue a watch. */
export const MAX_KEPT_EVENTS = 1000;
/** Minimum interval between two `lines` events of one terminal. */
export const LINES_INTERVAL_MS = 500;
/** Number of lines in a `lines` event. */
export const LAST_LINES = 9;

/** The fields of every event about one terminal. */
const about = {
  id: z.string().describe('Identifies the event. It stays the same if the event is delivered again.'),
  at: z.iso.datetime(),
  terminalId,
};

export const lastLines = z
  .array(z.string())
  .describe(`The last ${LAST_LINES} lines with colours, or the screen of a full-screen program.`);

const lines = z
  .strictObject({ type: z.literal('lines'), ...about, lines: lastLines, totalLines: z.int() })
  .describe(
    'The last lines of a terminal, only for terminals that the request names: once on connecting, and whenever they ' +
      'have changed. A missed event is not repeated.',
  );
/** The last lines of a terminal. */
export type LinesEvent = z.infer<typeof lines>;

export const managerEvent = z.discriminatedUnion('type', [
  z
    .strictObject({ type: z.literal('created'), ...about, terminal: terminalSummary })
    .describe('A terminal has been created.'),
  z
    .strictObject({ type: z.literal('changed'), ...about, terminal: terminalSummary })
    .describe('The name or the labels of a terminal have changed.'),
  z.strictObject({ type: z.literal('removed'), ...about }).describe('A terminal has been removed.'),
  z
    .strictObject({ type: z.literal('command'), ...about, phase: z.enum(['began', 'ended']), command: commandRecord })
    .describe('A command has begun or ended.'),
  z
    .strictObject({ type: z.literal('waiting'), ...about, waiting: waiting.unwrap() })
    .describe('A program is waiting for input.'),
  z
    .strictObject({ type: z.literal('answered'), ...about, waiting: z.string().describe('Id of the question.') })
    .describe('A program is no longer waiting for an answer to a question.'),
  z
    .strictObject({ type: z.literal('control'), ...about, holder })
    .describe('The holder of a terminal has changed, or the terminal is no longer held.'),
  z
    .strictObject({
      type: z.literal('ended'),
      ...about,
      endedBy: endedBy.unwrap(),
      exitCode: z.int().nullable(),
      signal: z.string().nullable(),
    })
    .describe('The program of a terminal has ended.'),
  lines,
  z
    .strictObject({ type: z.literal('reset') })
    .describe(
      'Events may be missing at this point: read the state of all terminals again. The events that follow may be ' +
        'older than that state.',
    ),
]);
export type ManagerEvent = z.infer<typeof managerEvent>;
export type ManagerEventType = ManagerEvent['type'];
/** An event about one terminal. */
export type TerminalChange = Exclude<ManagerEvent, { type: 'reset' }>;

/** Which events a caller wants. */
export const watchTerminals = z.strictObject({
  after: z
    .string()
    .max(4096)
    .optional()
    .describe(
      'Continue after the event with this cursor. Default: send only new events. If events are missing, `reset` ' +
        'comes first.',
    ),
  ids: z.array(terminalId).max(1000).optional().describe('Only these terminals.'),
  labels: terminalLabels
    .optional()
    .describe('Only terminals that have all of these labels with these values, or had them until the event.'),
  status: terminalStatus.optional().describe('Only terminals that have this status when the event occurs.'),
  lines: z
    .array(terminalId)
    .max(100)
    .default([])
    .describe('Terminals to send `lines` events for. The other filters do not apply to these events.'),
});
export type WatchTerminals = z.input<typeof watchTerminals>;
export type WatchRequest = z.output<typeof watchTerminals>;

/** An event, and where a caller that has seen it continues. */
export interface WatchedEvent {
  readonly cursor: string;
  readonly event: ManagerEvent;
}
