/** The commands for agents. Table entries only. */
import { command } from '../command.js';
import { IS_PUBLISHED } from '../published.js';
import { MCP_ACTIONS, MCP_CLIENTS, MCP_FLAGS } from '../flags/mcp.js';

const NPX_EXAMPLE = {
  line: 'tenacitty mcp install cursor --project --npx',
  doc: 'for all people who work on this project',
};

export const MCP = command({
  name: 'mcp',
  summary: 'Serve the Model Context Protocol on stdin and stdout, or configure a client to use it',
  description: [
    'Without arguments: runs the MCP server, as a client starts it. It accepts settings, --workspace and ' +
      '--on-close. It ends when its stdin is closed; programs in its terminals keep running.',
    `install CLIENT adds the server to the configuration of a client: ${MCP_CLIENTS.join(', ')}. uninstall ` +
      'CLIENT removes it. The rest of the file does not change, and a copy of the old file is kept next to it ' +
      '(….tenacitty-backup-…). Settings given as flags, --workspace and --on-close are written into the ' +
      'configuration.',
  ],
  operands: [
    { name: MCP_ACTIONS.join('|'), isOptional: true, choices: MCP_ACTIONS },
    { name: 'CLIENT', isOptional: true, choices: MCP_CLIENTS },
  ],
  flags: MCP_FLAGS,
  examples: [
    { line: 'tenacitty mcp install claude', doc: 'in Claude Code, for all your projects' },
    ...(IS_PUBLISHED ? [NPX_EXAMPLE] : []),
    { line: 'tenacitty mcp install zed --dry-run', doc: 'show the change without making it' },
    { line: 'tenacitty mcp uninstall claude', doc: 'remove it; the file is as before' },
  ],
  load: async () => (await import('../commands/mcp.js')).mcp,
});
