/**
 * Defines terminals as REST returns them: with `terminalId`, which REST uses everywhere, and with the original API's
 * `id`. Also lists the errors of requests that create one.
 */
import { overviewTerminal } from '../../contract/overview.js';
import { terminalDetail, terminalId, terminalSummary } from '../../contract/terminal.js';

export const listedTerminal = terminalSummary.extend({ terminalId });
export const shownTerminal = terminalDetail.extend({ terminalId });
export const overviewRow = overviewTerminal.extend({ terminalId });

/** Errors of requests that create a terminal. */
export const CREATION_ERRORS = [
  'NAME_TAKEN',
  'TERMINAL_NOT_FOUND',
  'COMMAND_DENIED',
  'LIMIT_REACHED',
  'SPAWN_FAILED',
  'UNSUPPORTED_PLATFORM',
  'SHUTTING_DOWN',
] as const;
