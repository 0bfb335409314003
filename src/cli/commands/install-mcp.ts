/** `tenacitty mcp install` and `uninstall`. */
import { TerminalError } from '../../errors.js';
import type { Call } from '../command.js';
import type { MCP_FLAGS } from '../table/mcp.js';

export async function installMcp(_action: 'install' | 'uninstall', _call: Call<typeof MCP_FLAGS>): Promise<void> {
  throw new TerminalError('INTERNAL_ERROR', 'mcp install is not in this build.');
}
