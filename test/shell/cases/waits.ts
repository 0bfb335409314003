/**
 * Tests that a command that asks for input is reported as waiting, with the kind of input; one that is merely silent is
 * not.
 */
import { differ, expectEnd, PLAIN } from '../shell-at-work.js';
import type { ShellCase } from '../shell-at-work.js';

export const WAITS: readonly ShellCase[] = [
  {
    name: 'asks for a line and takes it',
    run: async (at) => {
      const asked = await at.exec({
        fish: "read -P 'Name? ' x; echo got $x",
        other: 'printf "Name? "; read x; echo got $x',
      });
      expect(asked).toMatchObject({ completed: false, state: 'waiting', output: /Name\?/ });
      await at.type('Bob\r');
      expectEnd(await at.collect(asked.commandId), 0, /got Bob/);
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'asks again and again: each answer is passed on at once',
    run: async (at) => {
      for (let turn = 0; turn < 3; turn++) {
        const asked = await at.exec('read x; echo got $x');
        expect(asked).toMatchObject({ completed: false, state: 'waiting' });
        await at.type('Bob\r');
        expectEnd(await at.collect(asked.commandId), 0, /got Bob/);
      }
    },
  },
  {
    name: 'asks for a line after sending the modes that line editors send',
    run: async (at) => {
      const asked = await at.exec({
        fish: "printf '\\033[?2004h'; read -P 'Name? ' x; echo got $x; sh -c 'exit 3'",
        other: `printf '\\033[?2004hName? '; read x; echo "got $x"; (exit 3)`,
      });
      expect(asked).toMatchObject({ completed: false, state: 'waiting', exitCode: null });
      await expect(at.exec('echo no')).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
      await at.type('Bob\r');
      expectEnd(await at.collect(asked.commandId, { untilInput: false }), 3, /got Bob$/);
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'asks for a password',
    differs: {
      fish:
        'Its `read -s` draws the line itself, key by key, and is reported as `line`. Programs that ask are reported ' +
        'as in other shells.',
    },
    run: async (at) => {
      const asked = await at.exec({
        bash: 'read -s -p "Password: " x; echo got $x',
        zsh: 'read -s "x?Password: "; echo got $x',
        other: 'stty -echo; printf "Password: "; read x; stty echo; echo got $x',
      });
      expect(asked).toMatchObject({ completed: false, waiting: { kind: 'password' } });
      await at.type('s3\r');
      expectEnd(await at.collect(asked.commandId), 0, /got s3/);
    },
  },
  {
    name: 'asks for a line with its own line editor',
    differs: differ(PLAIN, 'Its `read` reads a line without a line editor.'),
    run: async (at) => {
      const asked = await at.exec({
        bash: 'read -e -p "Name? " x; echo got $x; (exit 3)',
        zsh: 'x=; vared -p "Name? " x; echo got $x; (exit 3)',
        other: "read -P 'Name? ' x; echo got $x; sh -c 'exit 3'",
      });
      expect(asked).toMatchObject({ completed: false, state: 'waiting', waiting: { kind: 'line' } });
      await expect(at.exec('echo no')).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
      await at.type('Bo');
      await at.shows(/Name\? Bo$/);
      const still = await at.collect(asked.commandId, { untilInput: true });
      expect(still).toMatchObject({ completed: false, state: 'waiting', waiting: { kind: 'line' } });
      await at.type('b\r');
      expectEnd(await at.collect(asked.commandId, { untilInput: false }), 3, 'Name? Bob\ngot Bob');
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'shows a menu of its own',
    differs: differ(['fish', 'dash', 'busybox'], 'It has no `select`.'),
    run: async (at) => {
      const asked = await at.exec('select x in one two; do echo got $x; break; done; (exit 3)');
      expect(asked).toMatchObject({ completed: false, state: 'waiting', waiting: { kind: 'line' } });
      await at.type('2\r');
      expectEnd(await at.collect(asked.commandId, { untilInput: false }), 3, /got two$/);
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'asks for a key',
    differs: {
      ...differ(['dash', 'mksh'], 'Its `read` cannot read single keys.'),
      fish: 'Its `read -n 1` edits a line of one character and is reported as `line`.',
    },
    run: async (at) => {
      const asked = await at.exec({
        zsh: 'read -q "x?Sure? "; echo; read -k 1 "z?Key? "; echo; echo got $x$z; (exit 3)',
        other: 'printf "Sure? "; read -n 1 x; read -n 1 z; echo; echo got $x$z; (exit 3)',
      });
      expect(asked).toMatchObject({ completed: false, state: 'waiting', waiting: { kind: 'key' } });
      await at.type('y');
      const next = await at.collect(asked.commandId, { untilInput: true });
      expect(next).toMatchObject({ completed: false, state: 'waiting', waiting: { kind: 'key' } });
      await at.type('y');
      expectEnd(await at.collect(asked.commandId, { untilInput: false }), 3, /got yy$/);
    },
  },
  {
    name: 'runs a program that asks for a line',
    run: async (at) => {
      const asked = await at.exec('cat');
      expect(asked).toMatchObject({
        completed: false,
        state: 'waiting',
        waiting: { kind: 'line', by: 'cat', certain: true },
      });
      await at.type('abc\r\x04');
      expectEnd(await at.collect(asked.commandId, { untilInput: false }), 0, 'abc\nabc');
    },
  },
  {
    name: 'runs a program that asks for a key',
    run: async (at) => {
      const asked = await at.exec(`bash -c 'read -n1 -p "Continue? [y/N] " a; echo; echo a=$a'`);
      expect(asked).toMatchObject({ completed: false, state: 'waiting', waiting: { kind: 'key' } });
      await at.type('y');
      expectEnd(await at.collect(asked.commandId), 0, /a=y/);
    },
  },
  {
    name: 'asks a question whose text is buffered in a pipe',
    run: async (at) => {
      const asked = await at.exec(`bash -c 'read -p "Continue? [Y/n] " x; echo got $x' 2>&1 | tail -5`);
      expect(asked).toMatchObject({ completed: false, state: 'waiting', output: '' });
      await at.type('y\r');
      expectEnd(await at.collect(asked.commandId), 0, /got y/);
    },
  },
  {
    name: 'runs another shell, reported as nested',
    run: async (at) => {
      const inside = await at.exec('bash --norc');
      expect(inside).toMatchObject({ completed: false, state: 'nested', waiting: { by: 'bash' } });
      await at.type('exit 5\r');
      expectEnd(await at.collect(inside.commandId, { untilInput: false }), 5);
    },
  },
  {
    name: 'runs an editor on the alternate screen',
    run: async (at) => {
      const inside = await at.exec('vim -u NONE -i NONE note.txt');
      expect(inside).toMatchObject({
        completed: false,
        fullScreen: true,
        state: 'waiting',
        waiting: { kind: 'program' },
      });
      await at.type(':q!\r');
      expectEnd(await at.collect(inside.commandId, { untilInput: false }), 0);
    },
  },
  {
    name: 'runs a pager',
    run: async (at) => {
      const inside = await at.exec('seq 500 | less');
      expect(inside).toMatchObject({ completed: false, fullScreen: true, state: 'waiting' });
      await at.type('q');
      expectEnd(await at.collect(inside.commandId, { untilInput: false }), 0, '');
    },
  },
  {
    name: 'is not reported as waiting while it computes',
    run: async (at) => {
      await at.exec('true');
      const begun = await at.exec("sh -c 'while :; do :; done'", { timeoutMs: 700 });
      expect(begun).toMatchObject({ completed: false, state: 'running', waiting: null });
      await at.manager.interrupt(at.id, begun.commandId);
      expectEnd(await at.collect(begun.commandId), 130);
    },
  },
  {
    name: 'is not reported as waiting while it sleeps',
    run: async (at) => {
      await at.exec('true');
      const begun = await at.exec('sleep 1000', { timeoutMs: 700 });
      expect(begun).toMatchObject({ completed: false, state: 'running', waiting: null });
      await at.manager.interrupt(at.id, begun.commandId);
      expectEnd(await at.collect(begun.commandId), 130);
    },
  },
  {
    name: 'reads at its prompt after a program consumed typed input',
    run: async (at) => {
      const asked = await at.exec('head -n1');
      await at.type('one\r');
      expectEnd(await at.collect(asked.commandId), 0, 'one\none');
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
];
