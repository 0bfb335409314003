/** Tests that a command's output is what would be visible on a screen of its own, whatever it does to the terminal. */
import { differ, expectEnd, PLAIN } from '../shell-at-work.js';
import type { ShellCase } from '../shell-at-work.js';

export const OUTPUT: readonly ShellCase[] = [
  { name: 'clears the screen', run: async (at) => expectEnd(await at.exec('clear; echo after'), 0, /after$/) },
  {
    name: 'shows what it reads (set -v): only the command',
    differs: {
      ...differ(['zsh', ...PLAIN], 'It shows only the typed line, or what it evaluates as well.'),
      fish: 'It has no such option.',
    },
    run: async (at) => {
      await at.exec('set -v');
      expectEnd(await at.exec('echo a'), 0, 'echo a\na');
      expectEnd(await at.exec('sh -c "exit 3"'), 3, 'sh -c "exit 3"');
    },
  },
  {
    name: 'resets the terminal',
    run: async (at) => {
      expectEnd(await at.exec("printf '\\033c'; tput reset; echo after"), 0, /after$/);
      expectEnd(await at.exec('echo next'), 0, 'next');
    },
  },
  {
    name: 'switches to the alternate screen and back',
    run: async (at) => expectEnd(await at.exec('tput smcup; echo inside; tput rmcup; echo outside'), 0, 'outside'),
  },
  {
    name: 'draws a progress bar',
    run: async (at) =>
      expectEnd(await at.exec(`sh -c 'for i in 1 50 100; do printf "\\r%3d%%" $i; done; echo'`), 0, '100%'),
  },
  {
    name: 'prints a line longer than the screen',
    run: async (at) => {
      const result = await at.exec(`sh -c 'printf %5000s x | tr " " y'`);
      expectEnd(result, 0, `${'y'.repeat(4999)}x`);
    },
  },
  {
    name: 'prints 100 000 lines',
    run: async (at) => {
      const result = await at.exec('seq 100000');
      expect(result).toMatchObject({ exitCode: 0, totalLines: 100_000, truncated: false });
      expect(result.output.endsWith('\n99999\n100000')).toBe(true);
    },
  },
  {
    name: 'prints binary data',
    run: async (at) => {
      expect(await at.exec('head -c 20000 /dev/urandom; echo; echo END')).toMatchObject({
        completed: true,
        exitCode: 0,
      });
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'prints invalid UTF-8',
    run: async (at) => expectEnd(await at.exec("printf 'a\\377b\\n'"), 0, 'a\ufffdb'),
  },
  {
    name: 'starts a control string without ending it',
    run: async (at) => expectEnd(await at.exec("printf 'a\\033]0;title without end'; false"), 1),
  },
  {
    name: 'leaves terminal modes on',
    run: async (at) => {
      await at.exec("printf '\\033[?1000h\\033[?1h\\033=\\033[?25l\\033[?2004h'");
      expectEnd(await at.exec('echo a; false'), 1, 'a');
    },
  },
  {
    name: 'leaves the terminal without echo',
    run: async (at) => {
      await at.exec('stty -echo');
      expectEnd(await at.exec('echo v'), 0, 'v');
    },
  },
  {
    name: 'leaves the terminal raw',
    run: async (at) => {
      expect(await at.exec('stty raw -echo')).toMatchObject({ completed: true });
      expectEnd(await at.exec('echo v'), 0, /v/);
    },
  },
  {
    name: 'has a narrow screen',
    start: (at) => at.start({ cols: 20, rows: 10 }),
    run: async (at) => {
      const text = 'a long line that wraps more than once';
      expectEnd(await at.exec(`echo "${text}"; false`), 1, text);
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'has its screen resized during a command',
    run: async (at) => {
      const begun = await at.begin(
        'sh -c "echo be\\"\\"gun; while ! test -e go; do sleep 0.02; done; tput cols"',
        'begun',
      );
      await at.manager.resize(at.id, { cols: 77, rows: 24 });
      at.put('../go', '');
      expectEnd(await at.collect(begun.commandId), 0, /77$/);
    },
  },
  {
    name: 'shows subscribers a prompt, the command and its output, and nothing else',
    run: async (at) => {
      await at.exec('echo hi');
      await at.exec('printf "%s\\n" a b');
      await at.exec('true');
      const text = await at.shows('true');
      expect(text).not.toMatch(/__tenacitty|7717/);
      expect(text).toMatch(/echo hi\nhi\n/);
      expect(text).toMatch(/printf "%s\\n" a b\na\nb\n/);
    },
  },
  {
    name: "marks prompts and commands for subscribers' terminals",
    run: async (at) => {
      await at.exec('echo hi; false');
      await at.exec('true');
      const { output } = await at.manager.read(at.id, { format: 'raw' });
      expect(output).toContain('echo hi; false\r\n\x1b]133;C\x07hi\r\n\x1b]133;D;1\x07');

      expect(output).toMatch(/\x1b\]133;A\x07[^]*\x1b\]133;B\x07/);
      expect(output).toContain(`\x1b]7;file://`);
      expect(output).not.toContain('7717');
    },
  },
];
