/** `tenacitty mcp` without words: the MCP server on stdin and stdout. */
import { TerminalError } from '../../errors.js';
import type { Call } from '../command.js';
import type { MCP_FLAGS } from '../table/mcp.js';

/** Serves until stdin ends. */
export async function serveMcp(_call: Call<typeof MCP_FLAGS>): Promise<void> {
  throw new TerminalError('INTERNAL_ERROR', 'The MCP server is not in this build.');
}
