/** The library for those who write an ACP client, `tenacitty/acp`: named exports only. */
export type { ShownTerminal, TerminalDisplay, TerminalExit } from './acp/display.js';
