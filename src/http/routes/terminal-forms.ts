/** Terminals as REST shows them: by `terminalId`, as everywhere, and by the seed's `id`. And why one may not be created. */
import { terminalDetail, terminalId, terminalSummary } from '../../contract/terminal.js';

export const listedTerminal = terminalSummary.extend({ terminalId });
export const shownTerminal = terminalDetail.extend({ terminalId });

/** What a request that creates a terminal can be answered with. */
export const CREATION_ERRORS = [
  'NAME_TAKEN',
  'TERMINAL_NOT_FOUND',
  'COMMAND_DENIED',
  'LIMIT_REACHED',
  'SPAWN_FAILED',
  'UNSUPPORTED_PLATFORM',
  'SHUTTING_DOWN',
] as const;
