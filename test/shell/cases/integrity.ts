/** What a program prints cannot pass for what the shell says. */
import { readFileSync } from 'node:fs';
import { expectEnd } from '../shell-at-work.js';
import type { ShellCase } from '../shell-at-work.js';

export const INTEGRITY: readonly ShellCase[] = [
  {
    name: 'prints marks of others, and ours with another nonce',
    run: async (at) => {
      const marks = '\\033]133;D;0\\007\\033]633;D;0\\007\\033]7717;xx;D;1;0;1;/\\007';
      expectEnd(await at.exec(`printf '${marks}real\\n'; false`), 1, 'real');
    },
  },
  {
    name: 'shows a recording of itself',
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
    name: 'gives its programs no variable of ours',
    run: async (at) => {
      const { output } = await at.exec('env');
      expect(output).not.toMatch(/7717|tenacitty_|^ENV=|^ZDOTDIR=/m);
    },
  },
  {
    name: 'keeps its commands in files that nobody else can read, and removes them',
    run: async (at) => {
      const { output } = await at.exec({
        fish: 'ls -la $__tenacitty_directory; stat -c %a $__tenacitty_directory; echo $__tenacitty_directory',
        other: 'ls -la "$__tenacitty_directory"; stat -c %a "$__tenacitty_directory"; echo "$__tenacitty_directory"',
      });
      const lines = output.split('\n');
      expect(lines.at(-2)).toBe('700');
      expect(lines.filter((line) => line.startsWith('-')).every((line) => line.startsWith('-rw-------'))).toBe(true);
      const directory = lines.at(-1)!;
      await at.exec('true');
      await at.manager.kill(at.id, { graceMs: 0 });
      expect(() => readFileSync(`${directory}/1`)).toThrow(/ENOENT/);
    },
  },
];
