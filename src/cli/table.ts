/** Lists all commands, in the order of the help. Loads none of them. */
import type { CommandGroup } from './command.js';
import { ACP } from './table/acp.js';
import { COMMANDS_COMMAND, EXEC, INTEGRATE, INTERRUPT } from './table/commands.js';
import { ON } from './table/hooks.js';
import { MCP } from './table/mcp.js';
import { ATTACH, KEYS, KILL, LABEL, REMOVE, RENAME, RESIZE, SEND } from './table/reach.js';
import { LIST, LOGS, SCREEN, SEARCH, STATS, WAIT } from './table/read.js';
import { EXPORT, PLAY, REC } from './table/recordings.js';
import { NEW, OPEN, RUN, SERVE } from './table/start.js';
import { COMPLETION, CONFIG, DOCTOR, HELP, KEY, KILL_SERVER, UPGRADE_HOST, VERSION_COMMAND } from './table/upkeep.js';

export const GROUPS: readonly CommandGroup[] = [
  { title: 'Start', commands: [SERVE, OPEN, EXEC, RUN, NEW, REC, MCP, ACP] },
  { title: 'Inspect', commands: [LIST, LOGS, SEARCH, COMMANDS_COMMAND, SCREEN, EXPORT, PLAY, STATS, WAIT, ON] },
  { title: 'Control', commands: [ATTACH, SEND, KEYS, INTEGRATE, INTERRUPT, RESIZE, RENAME, LABEL, KILL, REMOVE] },
  {
    title: 'Maintain',
    commands: [DOCTOR, CONFIG, KEY, KILL_SERVER, UPGRADE_HOST, COMPLETION, HELP, VERSION_COMMAND],
  },
];
