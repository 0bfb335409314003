/** `tenacitty mcp` without arguments: runs the MCP server on stdin and stdout. */
import { resolveOptions } from '../../config.js';
import { serveMcpOnStdio } from '../../mcp-stdio.js';
import type { ParsedCall } from '../command.js';
import { OK } from '../exit-code.js';
import type { MCP_FLAGS } from '../flags/mcp.js';

/** Serves until stdin ends. */
export async function serveMcp({ flags, settings }: ParsedCall<typeof MCP_FLAGS>): Promise<number> {
  const { options } = resolveOptions({ argv: settings, isServing: false });
  await serveMcpOnStdio(options, { workspace: flags.workspace, onClose: flags.onClose });
  return OK;
}
