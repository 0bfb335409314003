/**
 * Defines the schemas for the overview: everything that a page about many terminals shows, in one response. Contains no
 * logic.
 */
import { z } from 'zod';
import { commandRecord } from './command.js';
import { holder } from './control.js';
import { terminalLabels } from './labels.js';
import { terminalDetail, terminalId, terminalStatus, terminalSummary } from './terminal.js';
import { waiting } from './waiting.js';
import { lastLines } from './watch.js';

/** How long a host may reuse information about listening ports. */
export const PORTS_MAX_AGE_MS = 2000;

const { cols, rows, title, viewers, totalLines, foreground } = terminalDetail.shape;

export const overviewTerminal = terminalSummary.extend({
  ...{ cols, rows, title, viewers, totalLines, foreground, holder, waiting },
  lastCommand: commandRecord
    .pick({ commandId: true, text: true, state: true, exitCode: true, started: true, ended: true })
    .nullable()
    .describe('The last command, or null if none is known.'),
  ports: z
    .array(z.int())
    .describe(`TCP ports that its processes are listening on, checked at most ${PORTS_MAX_AGE_MS / 1000} s ago.`),
  lines: lastLines,
});
export type OverviewTerminal = z.infer<typeof overviewTerminal>;

/** Which terminals to show. */
export const listOverview = z.strictObject({
  ids: z.array(terminalId).max(1000).optional().describe('Only these terminals.'),
  labels: terminalLabels.optional().describe('Only terminals that have all of these, with these values.'),
  status: terminalStatus.optional().describe('Only terminals with this status.'),
});
export type ListOverview = z.input<typeof listOverview>;
export type OverviewRequest = z.output<typeof listOverview>;
