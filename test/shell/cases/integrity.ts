/** Tests that a program's output cannot imitate the shell's marks. */
import { readdirSync, readFileSync } from 'node:fs';
import type { CommandResult } from '../../../src/contract/command.js';
import { differ, expectEnd, PLAIN, RICH, untilTaken } from '../shell-at-work.js';
import type { ShellCase, Wording } from '../shell-at-work.js';

/** Does all that the shell does before it reads a line. */
const IMITATED_PROMPT: Wording = {
  bash: 'for hook in "${PROMPT_COMMAND[@]}"; do eval "$hook"; done; echo "${PS1@P}"',
  zsh: 'for hook in $precmd_functions; do $hook; done; print -P "$PS1"',
  fish: 'emit fish_postexec; emit fish_cancel; fish_prompt',
  other: 'eval "echo \\"$PS1\\""',
};

export const INTEGRITY: readonly ShellCase[] = [
  {
    name: 'exports all variables: the secret is in no program’s environment',
    start: async (at) => {
      const text = "set -a\nexport PS1='$ ' PS2='> '\n";
      const ENV = at.put('.shrc', text);
      at.put('.bashrc', text);
      at.put('.zshrc', text);
      at.put('.mkshrc', text);
      await at.start(at.isFish ? {} : { env: { ENV } });
    },
    run: async (at) => {
      const isThere = "env | grep -acE '[7]717;[A-Za-z0-9_-]|_FUNC___tenacitty_(say|dress|show)'";
      for (const before of ['true', 'export PS1', 'set -a', 'true']) {
        expectEnd(await at.exec(at.isFish ? 'true' : before), 0, '');
        expectEnd(await at.exec(isThere), 1, '0');
      }
      expectEnd(await at.exec('sh -c "exit 3"'), 3, '');
    },
  },
  {
    name: 'prints foreign marks, and ours with another nonce',
    run: async (at) => {
      const marks = '\\033]133;D;0\\007\\033]633;D;0\\007\\033]7717;xx;D;1;0;1;/\\007';
      expectEnd(await at.exec(`printf '${marks}real\\n'; false`), 1, 'real');
    },
  },
  {
    name: 'displays a recording of itself',
    run: async (at) => {
      await at.exec('echo one');
      const recording = at.put('recording', (await at.manager.read(at.id, { format: 'raw' })).output);
      expectEnd(await at.exec(`cat ${recording}; false`), 1);
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'prints our marks with the right nonce but old numbers',
    run: async (at) => {
      await at.exec('echo one');
      const pid = at.isFish ? '$fish_pid' : '$$';
      const marks = ['D;1;0;PID;/x', 'D;h1;0;PID;/x', 'C;1;PID'].map((mark) => mark.replace('PID', pid));
      const replayed = marks.map((mark) => `__tenacitty_mark "${mark}"`).join('; ');
      expectEnd(await at.exec(`${replayed}; echo real; false`), 1, 'real');
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'prints the text of its prompt',
    run: async (at) => {
      const prompt = at.words({ fish: 'fish_prompt; fish_prompt', other: 'echo "$PS1"; printf "%s" "$PS1"' });
      expectEnd(await at.exec(`${prompt}; echo real; false`), 1, /real$/);
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'calls the hooks of its prompt and prints its prompt: the command goes on',
    run: async (at) => {
      const prompt = at.words(IMITATED_PROMPT);
      expectEnd(await at.exec(`${prompt}; sh -c 'sleep 1; echo real; exit 5'`), 5, /real$/);
      const { commandId } = await at.begin(`${prompt}; sh -c 'echo be""gun; exec sleep 1000'`, 'begun');
      await at.manager.interrupt(at.id, commandId);
      expectEnd(await at.collect(commandId), 130);
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'calls the hooks of its prompt and asks a question: the command goes on',
    differs: { fish: 'Its `read` looks like its prompt.' },
    run: async (at) => {
      const asked = await at.exec(`${at.words(IMITATED_PROMPT)}; read x; sh -c "exit 5"`);
      expect(asked).toMatchObject({ completed: false, state: 'waiting' });
      await at.type('y\r');
      expectEnd(await at.collect(asked.commandId), 5);
    },
  },
  {
    name: 'has its prompt in its trace: no exit code is made up',
    differs: differ(RICH, 'It does not expand its prompt there.'),
    run: async (at) => {
      expectEnd(await at.exec(`PS4="$PS1"; set -x; sh -c 'sleep 1; exit 4'`), 4);
    },
  },
  {
    name: 'evaluates no texts (set -n): no exit code is made up',
    differs: { ...differ(['bash', 'zsh'], 'It ignores the option at a prompt.'), fish: 'It has no such option.' },
    run: async (at) => {
      await at.exec('set -n');
      const answer = await at.exec('sh -c "exit 3"').catch((error: { code: string }) => error.code);
      if (typeof answer === 'string') expect(answer).toBe('NOT_INTEGRATED');
      else expect(answer).toMatchObject({ completed: true, exitCode: null, via: 'kernel' });
    },
  },
  {
    name: 'has other history characters: no exit code is made up',
    differs: differ(['fish', ...PLAIN], 'It has no such characters.'),
    run: async (at) => {
      await at.exec("histchars='=^#'");
      const answer = await at.exec('sh -c "exit 3"').catch((error: { code: string }) => error.code);
      if (typeof answer === 'string') expect(answer).toBe('NOT_INTEGRATED');
      else expect([3, null]).toContain(answer.exitCode);
    },
  },
  {
    name: 'runs nothing from variables that the integration uses',
    run: async (at) => {
      const names = [
        'turn',
        'last',
        'text',
        'point',
        'line',
        'ps1',
        'noted',
        'noted_at',
        'status',
        'here',
        'shown',
        '9',
      ];
      const code = (name: string): string => `'x[$(touch ran-${name})]'`;
      const assigned = names.map((name) =>
        at.isFish ? `set -g __tenacitty_${name} ${code(name)}` : `__tenacitty_${name}=${code(name)}`,
      );
      if (at.name === 'bash') assigned.push(`unset HISTCMD; HISTCMD=${code('histcmd')}`);
      expectEnd(await at.exec(assigned.join('; ')), 0, '');
      expectEnd(await at.exec('false'), 1, '');
      await at.prompt();
      await at.type('echo typed >typed.txt\r');
      const read = (): Promise<CommandResult> => at.exec('cat typed.txt; sh -c "exit 3"');
      expectEnd(await untilTaken(read), 3, 'typed');
      expect(readdirSync(at.directory).filter((name) => name.startsWith('ran-'))).toEqual([]);
    },
  },
  {
    name: "runs no other text if the integration's functions are removed",
    run: async (at) => {
      await at.exec({
        fish: "functions -e __tenacitty_c; set -g __tenacitty_text 'touch ran'; set -g __tenacitty_2 'touch ran'",
        other: "unset -f __tenacitty_c; __tenacitty_text='touch ran'; __tenacitty_2='touch ran'",
      });
      expectEnd(await at.exec('echo a; sh -c "exit 3"'), 3, 'a');
      expect(readdirSync(at.directory)).not.toContain('ran');
    },
  },
  {
    name: 'passes no variable of the integration to programs',
    run: async (at) => {
      const { output } = await at.exec('env');
      expect(output).not.toMatch(/7717|tenacitty_|^ENV=|^ZDOTDIR=/m);
    },
  },
  {
    name: 'keeps commands in private files and removes them',
    run: async (at) => {
      await at.exec('true');
      const directory = await at.scripts();
      const { output } = await at.exec(`ls -la ${directory}; stat -c %a ${directory}`);
      const lines = output.split('\n');
      expect(lines.at(-1)).toBe('700');
      expect(lines.filter((line) => line.startsWith('-')).every((line) => line.startsWith('-rw-------'))).toBe(true);
      await at.exec('true');
      await at.manager.kill(at.id, { graceMs: 0 });
      expect(() => readFileSync(`${directory}/1`)).toThrow(/ENOENT/);
    },
  },
];
