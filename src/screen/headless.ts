/** The emulator as its package has it; the one importer of @xterm/headless. */
import headless from '@xterm/headless';

export const { Terminal } = headless;
export type Terminal = InstanceType<typeof Terminal>;
