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
    'create prints a new key, once: only its hash is kept. A running server takes it at once. With --json it prints an ' +
      'object with id, key, name and expires.',
  ],
  list: [
    'list prints the keys, expired ones too, and when each was last used (to the minute). With --json it prints an array ' +
      'of objects with id, name, created, expires and lastUsed.',
  ],
  revoke: [
    'revoke takes the name of a key, its id, or the beginning of the id, four characters at least. A running server ' +
      'refuses the key at once.',
  ],
} as const;

export const DOCTOR = command({
  name: 'doctor',
  summary: 'Check that all is well here, and say what is not',
  description: ['Looks and changes nothing. The exit code is 1 if something is wrong.'],
  flags: DOCTOR_FLAGS,
  examples: [{ line: 'tenacitty doctor', doc: 'a line for each thing that was looked at' }],
  load: async () => (await import('../commands/doctor.js')).doctor,
});

export const CONFIG = command({
  name: 'config',
  summary: 'Show each setting, its value, and where the value comes from',
  description: [
    'As tenacitty serve would take them if it were called here with the same flags: from a flag, the environment, a line of ' +
      '.env (or of the file named by --settings-file), or the default. Hashes of API keys are not shown, only how many there are.',
    'Other commands do not read .env: where it moves the data directory, stderr says so (with --json: notes). ' +
      'Where tenacitty serve would refuse the settings, stderr says why and the exit code is 2.',
  ],
  flags: CONFIG_FLAGS,
  examples: [
    { line: 'tenacitty config', doc: 'a line for each setting' },
    { line: 'tenacitty config --port 0 --json', doc: 'for programs; with flags as for serve' },
  ],
  load: async () => (await import('../commands/config.js')).config,
});

export const KEY = command({
  name: 'key',
  summary: 'Make, list and revoke API keys',
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
    { line: 'tenacitty key create --name laptop --expires 90d', doc: 'prints a new key' },
    { line: 'tenacitty key list --json', doc: 'for programs' },
    { line: 'tenacitty key revoke laptop', doc: 'or its id' },
  ],
  load: async () => (await import('../commands/key.js')).key,
});

export const UPGRADE_HOST = command({
  name: 'upgrade-host',
  summary: 'Let host processes of this version take over the running terminals',
  description: [
    'After an update: the processes that hold terminals are of the old version until then. Programs notice nothing, ' +
      'their exit codes are not lost, and who is attached stays so. If a new process cannot take over, the old one goes on.',
    'The old process holds nothing any more, but stays as the parent of the programs it started until the last of them ' +
      'has ended: only a parent is told how a program ends. The totals of tenacitty stats begin anew with what was taken over.',
  ],
  flags: UPGRADE_HOST_FLAGS,
  examples: [
    { line: 'tenacitty upgrade-host', doc: 'a line for each host: how many terminals, held by which process' },
  ],
  load: async () => (await import('../commands/upgrade-host.js')).upgradeHost,
});

export const KILL_SERVER = command({
  name: 'kill-server',
  summary: 'End all host processes, and all terminals with them',
  description: [
    'Asks first; without a terminal to ask on it refuses unless --yes is given. History on disk stays; history in memory is ' +
      'lost. A running tenacitty serve goes on, and starts a new host when it needs one.',
  ],
  flags: KILL_SERVER_FLAGS,
  examples: [
    { line: 'tenacitty kill-server', doc: 'asks, and ends everything' },
    { line: 'tenacitty kill-server --yes', doc: 'for scripts' },
  ],
  load: async () => (await import('../commands/kill-server.js')).killServer,
});

export const COMPLETION = command({
  name: 'completion',
  summary: 'Print a script that lets your shell complete commands, flags and ids',
  description: [
    'bash: put  source <(tenacitty completion bash)  into ~/.bashrc.',
    'zsh: put  source <(tenacitty completion zsh)  into ~/.zshrc, after compinit.',
    'fish: tenacitty completion fish > ~/.config/fish/completions/tenacitty.fish',
  ],
  operands: [{ name: SHELLS.join('|'), choices: SHELLS }],
  takesSettings: false,
  examples: [{ line: 'source <(tenacitty completion bash)', doc: 'for this shell' }],
  load: async () => (await import('../commands/completion.js')).completion,
});

export const HELP = command({
  name: 'help',
  summary: 'Explain tenacitty, or one of its commands',
  operands: [
    { name: 'COMMAND', isOptional: true },
    { name: 'WORD', isOptional: true },
  ],
  takesSettings: false,
  examples: [
    { line: 'tenacitty help logs', doc: 'as tenacitty logs --help' },
    { line: 'tenacitty help acp run', doc: 'as tenacitty acp run --help' },
  ],
  load: async () => (await import('../commands/help.js')).help,
});

export const VERSION_COMMAND = command({
  name: 'version',
  summary: 'Print the version',
  takesSettings: false,
  examples: [{ line: 'tenacitty version', doc: 'as tenacitty --version' }],
  load: async () => (await import('../commands/version.js')).version,
});
