/** Exports the library `tenacitty/acp`, for authors of ACP clients. */
export type { CommandPermit, CommandPolicy, CommandRequest } from './access/policy/command-policy.js';
export type { RefusedCommand, ShownTerminal, TerminalDisplay, TerminalExit } from './acp/display.js';
export { endAbandoned } from './acp/owner.js';
export { asRequestError } from './acp/request-error.js';
export type {
  CreatedTerminal,
  CreateTerminalParams,
  ExitStatus,
  TerminalOutput,
  TerminalParams,
} from './acp/requests.js';
export { serveTerminals } from './acp/serve-terminals.js';
export { streamOf } from './acp/stream-of.js';
export type { PipedChild } from './acp/stream-of.js';
export { ShownTerminals } from './acp/shown-terminals.js';
export type { ShownTerminalsLimits, TerminalChange, TerminalView } from './acp/shown-terminals.js';
export { AcpTerminals } from './acp/terminals.js';
export type { AcpTerminalsOptions } from './acp/terminals.js';
export { watchUpdates } from './acp/watch-updates.js';
