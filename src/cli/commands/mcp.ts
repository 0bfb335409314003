/** `tenacitty mcp`: serves MCP, or changes a client's configuration. Loads only the requested part. */
import { didYouMean } from '../../nearest.js';
import type { ParsedCall } from '../command.js';
import { flagName } from '../flag.js';
import { usageError } from '../parse.js';
import { INSTALL_FLAGS, MCP_ACTIONS } from '../flags/mcp.js';
import type { MCP_FLAGS } from '../flags/mcp.js';

export async function mcp(call: ParsedCall<typeof MCP_FLAGS>): Promise<number | void> {
  const [action] = call.operands;
  if (action === undefined) {
    refuseInstallFlags(call);
    return (await import('./serve-mcp.js')).serveMcp(call);
  }
  if (action !== 'install' && action !== 'uninstall') {
    throw usageError({ name: 'mcp' }, `Unknown mcp command ${action}.${didYouMean(action, MCP_ACTIONS)}`);
  }
  return (await import('./install-mcp.js')).installMcp(action, call);
}

/** Rejects flags of `install`: if the server ignored them, a person would believe that something had been installed. */
function refuseInstallFlags({ flags }: ParsedCall<typeof MCP_FLAGS>): void {
  const given = Object.keys(INSTALL_FLAGS).find((key) => Boolean(flags[key as keyof typeof INSTALL_FLAGS]));
  if (given !== undefined) {
    throw usageError({ name: 'mcp' }, `${flagName(given)} applies only to mcp install and mcp uninstall.`);
  }
}
