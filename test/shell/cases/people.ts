/**
 * Tests people and callers that share a shell: what a person types is recorded, kept, and never mixed with a caller's
 * command.
 */
import { differ, expectEnd, PLAIN, RICH, untilTaken } from '../shell-at-work.js';
import type { ShellCase } from '../shell-at-work.js';

export const PEOPLE: readonly ShellCase[] = [
  {
    name: 'has a half-typed line: it is parked and restored',
    run: async (at) => {
      await at.prompt();
      await at.type('echo hal');
      await at.shows(/echo hal$/);
      expectEnd(await at.exec('echo next'), 0, 'next');
      await at.screenShows((lines) => lines.some((line) => /\S echo hal$/.test(line)) && lines.includes('next'));
      await at.type('f-way\r');
      await at.shows(/^half-way$/m);
      const record = await at.record(({ text, ended }) => text === 'echo half-way' && ended !== null);
      expect(record).toMatchObject({ origin: 'typed', exitCode: 0 });
    },
  },
  {
    name: 'does not expand variables in its prompt: what is typed is recorded, and nothing of ours is shown',
    differs: differ(['zsh', 'fish', 'dash', 'busybox', 'mksh'], 'It has no such option.'),
    run: async (at) => {
      for (const option of ['shopt -u promptvars', 'shopt -s promptvars']) {
        await at.exec(option);
        await at.prompt();
        await at.type('echo ty""ped\r');
        const record = await at.record(({ origin, ended }) => origin === 'typed' && ended !== null);
        expect(record).toMatchObject({ text: 'echo ty""ped', exitCode: 0 });
        expect((await at.manager.read(at.id)).output).not.toMatch(/__tenacitty/);
      }
    },
  },
  {
    name: 'gets typed input while a command runs: it is run afterwards',
    differs: differ(PLAIN, 'It runs the input without reporting it, so the input is not listed as a command.'),
    run: async (at) => {
      const begun = await at.begin(
        'sh -c "echo be\\"\\"gun; while ! test -e go; do sleep 0.02; done; echo fin"',
        'begun',
      );
      await at.type('echo ty""ped\r');
      at.put('../go', '');
      expectEnd(await at.collect(begun.commandId), 0, /fin$/);
      await at.shows(/^typed$/m);
      await at.record(({ text, ended }) => text === 'echo ty""ped' && ended !== null);
      expectEnd(await at.exec('echo next'), 0, 'next');
    },
  },
  {
    name: "gets typed input after a command's last output: the echo is not counted as output",
    run: async (at) => {
      const begun = await at.begin('sh -c "echo fi\\"\\"n; while ! test -e go; do sleep 0.02; done"', 'fin');
      await at.type('echo ty""ped\r');
      await at.shows('echo ty""ped');
      at.put('../go', '');
      expectEnd(await at.collect(begun.commandId), 0, 'fin');
      await at.prints('typed\n');
    },
  },
  {
    name: 'queries the terminal and does not read the answers: they are discarded',
    run: async (at) => {
      await at.prompt();
      for (const questions of ['\\033[6n', '\\033[6n\\033[c', '\\033[c\\033[5n\\033[6n\\033[>c'.repeat(20)]) {
        expectEnd(await at.exec(`printf '${questions}'; sh -c 'exit 3'`), 3, '');
        expectEnd(await at.exec('echo next'), 0, 'next');
      }
      await at.type('echo ty""ped\r');
      // Text typed before the prompt appears is echoed before it.
      await at.shows(/^(\S* )?typed$/m);
    },
  },
  {
    name: 'records what a person runs and how it ends',
    run: async (at) => {
      await at.prompt();
      await at.type('cd /usr; false\r');
      const record = await at.record(({ origin, ended }) => origin === 'typed' && ended !== null);
      expect(record).toMatchObject({ text: 'cd /usr; false', exitCode: 1, cwd: '/usr', via: 'prompt' });
      expect(record.startCwd).toBe(at.directory);
    },
  },
  {
    name: 'returns the output of what a person ran',
    run: async (at) => {
      await at.prompt();
      await at.type('echo one; echo two\r');
      const { commandId } = await at.record(({ origin, ended }) => origin === 'typed' && ended !== null);
      expect((await at.manager.readCommand(at.id, commandId)).output).toBe('one\ntwo');
      expectEnd(await at.collect(commandId), 0, 'one\ntwo');
    },
  },
  {
    name: 'may write no files (ulimit -f 0): it goes on after a typed line',
    run: async (at) => {
      // fish itself ends where it cannot write its history.
      if (at.isFish) await at.exec("set -g fish_history ''");
      await at.exec('ulimit -f 0');
      await at.prompt();
      await at.type('echo typ""ed\r');
      await at.shows(/^typed$/m);
      expectEnd(await untilTaken(() => at.exec('echo on; sh -c "exit 3"')), 3, 'on');
    },
  },
  {
    name: 'is busy while a person runs something, and says what',
    run: async (at) => {
      await at.prompt();
      await at.type('cat\r');
      const { commandId } = await at.record(({ origin }) => origin === 'typed');
      await expect(at.exec('echo x')).rejects.toMatchObject({
        code: 'TERMINAL_BUSY',
        details: { commandId, text: 'cat', state: 'running' },
      });
      // Only then is the terminal in the modes in which this key means the end.
      await at.manager.wait(at.id, { input: true });
      await at.type('\x04');
      expectEnd(await at.collect(commandId, { untilInput: false }), 0);
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'is busy while a person types several lines',
    differs: { fish: 'Its editor holds all lines of a command at once, as one half-typed line.' },
    run: async (at) => {
      await at.prompt();
      await at.type('if true\r');
      await at.shows(/if true\n.*>/);
      await expect(at.exec('echo x', { timeoutMs: 0 })).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
      await at.type('\x03');
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'discards a line at Ctrl-C',
    run: async (at) => {
      await at.prompt();
      await at.type('echo nothing');
      await at.shows(/echo nothing$/);
      await at.type('\x03');
      expectEnd(await at.exec('echo ok'), 0, 'ok');
      await at.exec('true');
      expect(await at.shows('ok')).not.toMatch(/^nothing/m);
    },
  },
  {
    name: 'gets typed input before its first prompt',
    run: async (at) => {
      await at.type('echo ea""rly\r');
      await at.shows(/early$/m);
      if (RICH.includes(at.name)) await at.record(({ ended }) => ended !== null);
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'keeps injected lines out of its history',
    differs: {
      dash: 'It has no history.',
      busybox: 'It keeps every line, including injected lines; none can be excluded.',
    },
    run: async (at) => {
      await at.exec('true');
      await at.exec('true');
      // zsh removes a line from its history only when it gets the next.
      expect((await at.exec('history')).output.match(/__tenacitty_d/g) ?? []).toHaveLength(at.name === 'zsh' ? 1 : 0);
      if (at.name !== 'bash') return;
      await at.exec('exec bash --norc');
      await at.exec('true');
      expect((await at.exec('history')).output).not.toMatch(/tenacitty/);
    },
  },
  {
    name: 'gets several typed lines between commands of callers',
    differs: differ(
      ['zsh', 'fish', ...PLAIN],
      'It does not take typed text from its history, so this case does not apply.',
    ),
    run: async (at) => {
      for (const between of [
        'true',
        'history -c',
        'history -c; history -s a; history -s b',
        'set +o history; set -o history',
      ]) {
        await at.exec('true');
        await at.exec(between);
        await at.exec('true');
        const word = `w${between.length}`;
        await at.type(`for x in ${word}\rdo echo "<$x>"; done\r`);
        await at.shows(`<${word}>`);
        const { text } = await at.record(({ origin, ended }) => origin === 'typed' && ended !== null);
        expect(text).toBe(`for x in ${word}; do echo "<$x>"; done`);
      }
    },
  },
  {
    name: 'uses vi key bindings',
    run: async (at) => {
      await at.exec({ zsh: 'bindkey -v', fish: 'fish_vi_key_bindings', other: 'set -o vi' });
      expectEnd(await at.exec('echo a; false'), 1, 'a');
      await at.prompt();
      const last = await at.exec('echo b');
      expectEnd(last, 0, 'b');
      expect(last.between).toBe('');
    },
  },
  {
    name: 'was left in vi command mode',
    differs: {
      busybox: 'Its command mode does not take the injected line: the next command is refused with `TERMINAL_BUSY`.',
    },
    run: async (at) => {
      await at.exec({ zsh: 'bindkey -v', fish: 'fish_vi_key_bindings', other: 'set -o vi' });
      await at.prompt();
      await at.type('abc\x1b');
      expectEnd(await at.exec('echo a; false'), 1, 'a');
    },
  },
  {
    name: 'serves twenty callers in turn',
    run: async (at) => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => untilTaken(() => at.exec(`echo caller ${i}`))),
      );
      expect(answers.map(({ output }) => output)).toEqual(Array.from({ length: 20 }, (_, i) => `caller ${i}`));
    },
  },
];
