/** The commands about tenacitty itself. Table entries only. */
import { command } from '../command.js';
import {
  DOCTOR_FLAGS,
  CONFIG_FLAGS,
  KEY_ACTIONS,
  KEY_FLAGS,
  KILL_SERVER_FLAGS,
  UPGRADE_HOST_FLAGS,
} from '../flags/upkeep.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

const KEY_ACTION_NAMES = Object.keys(KEY_ACTIONS);

const KEY_DESCRIPTIONS = {
  create: [
    'create prints a new key. It is shown only once, because only its hash is stored. A running server accepts it ' +
      'at once. With --json, it prints an object with id, key, name and expires.',
  ],
  list: [
    'list prints the keys, including expired ones, and when each was last used (to the minute). With --json, it ' +
      'prints an array of objects with id, name, created, expires and lastUsed.',
  ],
  revoke: [
    'revoke takes the name of a key, its id, or the first characters of the id (at least four). A running ' +
      'server rejects the key at once.',
  ],
} as const;

export const DOCTOR = command({
  name: 'doctor',
  summary: 'Check the installation, and report problems',
  description: ['Changes nothing. The exit code is 1 if there is a problem.'],
  flags: DOCTOR_FLAGS,
  examples: [{ line: 'tenacitty doctor', doc: 'one line per check' }],
  load: async () => (await import('../commands/doctor.js')).doctor,
});

export const CONFIG = command({
  name: 'config',
  summary: 'Show each setting, its value, and where the value comes from',
  description: [
    'Shows the settings that tenacitty serve would use if started here with the same flags: from a flag, the ' +
      'environment, a line of .env (or of the file named by --settings-file), or the default. Hashes of API keys ' +
      'are not shown; only their number is.',
    'Only serve uses .env; if .env changes the data directory, stderr says so (with --json: notes). If tenacitty ' +
      'serve would reject the settings, stderr says why and the exit code is 2.',
  ],
  flags: CONFIG_FLAGS,
  examples: [
    { line: 'tenacitty config', doc: 'one line per setting' },
    { line: 'tenacitty config --port 0 --json', doc: 'as JSON; with flags as for serve' },
  ],
  load: async () => (await import('../commands/config.js')).config,
});

export const KEY = command({
  name: 'key',
  summary: 'Create, list and revoke API keys',
  description: Object.values(KEY_DESCRIPTIONS).flat(),
  operands: [
    { name: KEY_ACTION_NAMES.join('|'), choices: KEY_ACTION_NAMES },
    { name: 'KEY', isOptional: true },
  ],
  actions: {
    create: { flags: KEY_ACTIONS.create, description: KEY_DESCRIPTIONS.create },
    list: { flags: KEY_ACTIONS.list, description: KEY_DESCRIPTIONS.list },
    revoke: { flags: KEY_ACTIONS.revoke, description: KEY_DESCRIPTIONS.revoke },
  },
  flags: KEY_FLAGS,
  examples: [
    { line: 'tenacitty key create --name laptop --expires 90d', doc: 'print a new key' },
    { line: 'tenacitty key list --json', doc: 'for programs' },
    { line: 'tenacitty key revoke laptop', doc: 'by name or id' },
  ],
  load: async () => (await import('../commands/key.js')).key,
});

export const UPGRADE_HOST = command({
  name: 'upgrade-host',
  summary: 'Move the running terminals to host processes of this version',
  description: [
    'Use this after an update. Until then, host processes of the old version hold the terminals. Programs are ' +
      'not affected, their exit codes are not lost, and attached users stay attached. If a new process cannot ' +
      'take over, the old one continues.',
    'The old process then holds no terminals, but remains as the parent of the programs that it started until the ' +
      'last of them has ended, because only a parent process learns how a program ended. The totals of tenacitty ' +
      'stats start again from the terminals taken over.',
  ],
  flags: UPGRADE_HOST_FLAGS,
  examples: [{ line: 'tenacitty upgrade-host', doc: 'one line per host: number of terminals and pid' }],
  load: async () => (await import('../commands/upgrade-host.js')).upgradeHost,
});

export const KILL_SERVER = command({
  name: 'kill-server',
  summary: 'End all host processes, and all terminals with them',
  description: [
    'Asks for confirmation. If it cannot ask, because there is no terminal, it refuses, unless --yes is given. ' +
      'History on disk is kept; history in memory is lost. A running tenacitty serve continues, and starts a new ' +
      'host process when it needs one.',
  ],
  flags: KILL_SERVER_FLAGS,
  examples: [
    { line: 'tenacitty kill-server', doc: 'ask, then end everything' },
    { line: 'tenacitty kill-server --yes', doc: 'for scripts' },
  ],
  load: async () => (await import('../commands/kill-server.js')).killServer,
});

export const COMPLETION = command({
  name: 'completion',
  summary: 'Print or install a script that lets your shell complete commands, flags and ids',
  description: [
    'install writes the script, and the manual page, to where your shell ($SHELL, or the one given) and man look for ' +
      'them in your home directory. To load the script yourself:',
    'bash: add  source <(tenacitty completion bash)  to ~/.bashrc.',
    'zsh: add  source <(tenacitty completion zsh)  to ~/.zshrc, after compinit.',
    'fish: tenacitty completion fish > ~/.config/fish/completions/tenacitty.fish',
  ],
  operands: [
    { name: [...SHELLS, 'install'].join('|'), choices: [...SHELLS, 'install'] },
    { name: 'SHELL', isOptional: true, choices: SHELLS },
  ],
  takesSettings: false,
  examples: [
    { line: 'tenacitty completion install bash', doc: 'for new shells' },
    { line: 'source <(tenacitty completion bash)', doc: 'for the current shell' },
  ],
  load: async () => (await import('../commands/completion.js')).completion,
});

export const HELP = command({
  name: 'help',
  summary: 'Explain tenacitty, or one of its commands',
  description: ['all explains everything that is not about a single command: all commands, examples and exit codes.'],
  operands: [
    { name: 'COMMAND', isOptional: true },
    { name: 'WORD', isOptional: true },
  ],
  takesSettings: false,
  examples: [
    { line: 'tenacitty help all', doc: 'all commands and exit codes' },
    { line: 'tenacitty help logs', doc: 'same as tenacitty logs --help' },
    { line: 'tenacitty help acp run', doc: 'same as tenacitty acp run --help' },
  ],
  load: async () => (await import('../commands/help.js')).help,
});

export const VERSION_COMMAND = command({
  name: 'version',
  summary: 'Print the version',
  takesSettings: false,
  examples: [{ line: 'tenacitty version', doc: 'same as tenacitty --version' }],
  load: async () => (await import('../commands/version.js')).version,
});
