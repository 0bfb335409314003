/** Terminals as REST shows them: by `terminalId`, as everywhere, and by the seed's `id`. Schemas only. */
import { terminalDetail, terminalId, terminalSummary } from '../../contract/terminal.js';

export const listedTerminal = terminalSummary.extend({ terminalId });
export const shownTerminal = terminalDetail.extend({ terminalId });
