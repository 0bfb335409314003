/** The commands that are about tenacitty itself. Entries of the table only. */
import { command } from '../command.js';
import { text, toggle } from '../flag.js';

const KEY_ACTIONS = ['create', 'list', 'revoke'] as const;
const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const DOCTOR_FLAGS = { json: toggle('Prints the findings as a JSON array.') } as const;

export const KEY_FLAGS = {
  name: text('NAME', 'What the new key is for, as laptop.'),
  json: toggle('Prints what is listed as JSON.'),
} as const;

export const UPGRADE_HOST_FLAGS = { json: toggle('Prints the hosts as a JSON array.') } as const;

export const DOCTOR = command({
  name: 'doctor',
  summary: 'Check that all is well here, and say what is not',
  description: ['Looks and changes nothing. The exit code is 1 if something is wrong.'],
  flags: DOCTOR_FLAGS,
  examples: [{ line: 'tenacitty doctor', doc: 'a line for each thing that was looked at' }],
  load: async () => (await import('../commands/doctor.js')).doctor,
});

export const KEY = command({
  name: 'key',
  summary: 'Make, list and revoke API keys',
  description: ['A key is printed once; only its hash is kept. A running server takes and refuses keys at once.'],
  operands: [
    { name: 'create|list|revoke', choices: KEY_ACTIONS },
    { name: 'KEY', isOptional: true },
  ],
  flags: KEY_FLAGS,
  examples: [
    { line: 'tenacitty key create --name laptop', doc: 'prints a new key' },
    { line: 'tenacitty key list --json', doc: 'their ids, names and times' },
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
      'has ended: only a parent is told how a program ends.',
  ],
  flags: UPGRADE_HOST_FLAGS,
  examples: [
    { line: 'tenacitty upgrade-host', doc: 'a line for each host: how many terminals, held by which process' },
  ],
  load: async () => (await import('../commands/upgrade-host.js')).upgradeHost,
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
