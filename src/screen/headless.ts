/** Exports the emulator from its package. The only importer of @xterm/headless. */
import headless from '@xterm/headless';

export const { Terminal: HeadlessTerminal } = headless;
export type HeadlessTerminal = InstanceType<typeof HeadlessTerminal>;
