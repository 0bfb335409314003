/** Tests that people's prompts and prompt hooks are preserved, and separated from the output of commands. */
import { differ, expectEnd, PLAIN } from '../shell-at-work.js';
import type { ShellCase } from '../shell-at-work.js';

export const PROMPTS: readonly ShellCase[] = [
  {
    name: 'builds its prompt anew each time',
    differs: {
      ...differ(PLAIN, 'It has no prompt hook; its prompt is expanded each time.'),
      fish: 'Its prompt is a function that is called whenever a line is drawn.',
    },
    start: async (at) => {
      at.put('.bashrc', `PROMPT_COMMAND='PS1="n$((n=n+1)) > "'\n`);
      at.put('.zshrc', `precmd() { PS1="n$((++n)) > " }\n`);
      await at.start();
    },
    run: async (at) => {
      expectEnd(await at.exec('echo a; false'), 1, 'a');
      expectEnd(await at.exec('echo b'), 0, 'b');
      await at.shows(/n2 > echo b/);
    },
  },
  {
    name: 'has a virtual environment activated',
    run: async (at) => {
      await at.exec({
        fish: 'functions -c fish_prompt _old; function fish_prompt; echo -n "(venv) "; _old; end',
        other: 'PS1="(venv) $PS1"',
      });
      expectEnd(await at.exec('echo v; false'), 1, 'v');
      await at.shows(/\(venv\)/);
    },
  },
  {
    name: 'has its prompt cleared',
    run: async (at) => {
      await at.exec({ fish: 'function fish_prompt; end', other: 'PS1=' });
      expectEnd(await at.exec('false'), 1, '');
      expectEnd(await at.exec('echo b'), 0, 'b');
    },
  },
  {
    name: 'has its prompt and hooks cleared',
    run: async (at) => {
      await at.exec({
        bash: "unset PROMPT_COMMAND; PS1='x> '; PS0=",
        zsh: "precmd_functions=(); preexec_functions=(); PS1='x> '",
        fish: "functions -e __tenacitty_preexec __tenacitty_postexec __tenacitty_wrap; function fish_prompt; echo -n 'x> '; end",
        other: "PS1='x> '",
      });
      expectEnd(await at.exec('false'), 1, '');
      expectEnd(await at.exec('echo b'), 0, 'b');
      expect(await at.shows(/x> echo b/)).not.toMatch(/tenacitty\./);
    },
  },
  {
    name: 'has its prompt hook replaced by another',
    differs: differ(['zsh', 'fish', ...PLAIN], 'It has no single prompt hook.'),
    start: async (at) => {
      at.put('.bashrc', 'PROMPT_COMMAND="echo old"\n');
      await at.start();
    },
    run: async (at) => {
      await at.exec('PROMPT_COMMAND="echo new"');
      expect(await at.exec('false')).toMatchObject({ exitCode: 1, between: 'new' });
    },
  },
  {
    name: 'shows more than its prompt on the same line: none of it is output between two commands',
    differs: differ(PLAIN, 'It has no such prompt.'),
    run: async (at) => {
      await at.exec({
        bash: `set -o vi; bind 'set show-mode-in-prompt on'`,
        zsh: 'RPROMPT=RIG""HT',
        other: 'function fish_right_prompt; echo RIG""HT; end; function fish_mode_prompt; echo MODE; end',
      });
      await at.shows(at.words({ bash: '(ins)', other: 'RIGHT' }));
      for (let turn = 0; turn < 3; turn++)
        expect(await at.exec('sh -c "exit 3"')).toMatchObject({ exitCode: 3, output: '', between: '' });
    },
  },
  {
    name: 'has read-only prompts, prompt hooks and history settings',
    differs: differ(['zsh', 'fish', ...PLAIN], 'Its prompt cannot be made read-only without errors of its own.'),
    start: async (at) => {
      at.put('.bashrc', 'PROMPT_COMMAND="history -a"\nreadonly PROMPT_COMMAND HISTIGNORE\n');
      await at.start();
    },
    run: async (at) => {
      expectEnd(await at.exec('echo a; sh -c "exit 3"'), 3, 'a');
      expectEnd(await at.exec('readonly PS0 PS1 PS2; echo b; sh -c "exit 4"'), 4, 'b');
      await at.exec('exec bash --norc');
      expectEnd(await at.exec('readonly PS1; echo c; sh -c "exit 5"'), 5, 'c');
      expectEnd(await at.exec('readonly PROMPT_COMMAND; echo d; sh -c "exit 6"'), 6, 'd');
      expectEnd(await at.exec('echo e'), 0, 'e');
    },
  },
  {
    name: 'asks a question before its prompt: nothing else is typed into it, and commands run after the answer',
    differs: {
      ...differ(PLAIN, 'It has no prompt hook.'),
      fish: 'Its `read` looks like its prompt.',
    },
    run: async (at) => {
      await at.exec({
        zsh: 'asks() { read "x?Up""date? "; precmd_functions=() }; precmd_functions=(asks)',
        other: `PROMPT_COMMAND='read -p "Up""date? " x; PROMPT_COMMAND='`,
      });
      await at.shows('Update?');
      await at.manager.wait(at.id, { input: true });
      await expect(at.exec('echo no', { timeoutMs: 1000 })).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
      await at.type('later\r');
      expectEnd(await at.exec('echo "<$x>"; sh -c "exit 3"'), 3, '<later>');
      expectEnd(await at.exec('echo on'), 0, 'on');
    },
  },
];
