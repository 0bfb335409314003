/** The emulator from its package; the only importer of @xterm/headless. */
import headless from '@xterm/headless';

export const { Terminal } = headless;
export type Terminal = InstanceType<typeof Terminal>;
