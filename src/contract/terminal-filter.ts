/**
 * Defines the schema that selects terminals in the query of a request about many terminals. The only logic is a
 * conversion.
 */
import { z } from 'zod';
import { labelsOf, labelText, MAX_LABELS, type TerminalLabels } from './labels.js';
import { terminalId, terminalStatus, type TerminalStatus } from './terminal.js';

const MAX_IDS = 1000;

export const terminalFilter = z.strictObject({
  ids: z
    .array(terminalId)
    .max(MAX_IDS)
    .optional()
    .describe('Only these terminals. Repeat the parameter for each terminal.'),
  label: z
    .array(labelText)
    .max(MAX_LABELS)
    .optional()
    .describe('Only terminals with this label, `NAME=VALUE`. Repeat it to require several labels.'),
  status: terminalStatus.optional().describe('Only terminals with this status.'),
});
export type TerminalFilter = z.infer<typeof terminalFilter>;

/** Returns the filter in the form that manager methods accept. */
export function managerFilter({ ids, label, status }: TerminalFilter): {
  readonly ids: string[] | undefined;
  readonly labels: TerminalLabels | undefined;
  readonly status: TerminalStatus | undefined;
} {
  return { ids, labels: label && labelsOf(label), status };
}
