/** Tests that the end of a command is detected and reported correctly, however it ends, with its shell or without. */
import { expectEnd } from '../shell-at-work.js';
import type { ShellCase } from '../shell-at-work.js';

export const ENDS: readonly ShellCase[] = [
  {
    name: 'ends with an exit code',
    run: async (at) => {
      const result = await at.exec('echo bye; exit 3');
      expectEnd(result, 3, /^bye/);
      expect(result).toMatchObject({ shellExited: true, via: 'exit' });
      await expect(at.exec('echo x')).rejects.toMatchObject({ code: 'TERMINAL_INACTIVE' });
    },
  },
  {
    name: 'is killed by its command',
    run: async (at) => {
      const result = await at.exec({ fish: 'kill -9 $fish_pid', other: 'kill -9 $$' });
      expect(result).toMatchObject({ completed: true, shellExited: true, exitCode: null, signal: 'SIGKILL' });
    },
  },
  {
    name: 'ends at the first failure, with set -e',
    differs: { fish: 'It has no `set -e`.' },
    run: async (at) => {
      await at.exec('set -e');
      expectEnd(await at.exec('if false; then :; fi; echo one'), 0, 'one');
      expectEnd(await at.exec('echo two'), 0, 'two');
      const result = await at.exec('false\necho no');
      expect(result).toMatchObject({ completed: true, shellExited: true, exitCode: 1 });
    },
  },
  {
    name: 'prints the output of its exit trap',
    run: async (at) => {
      const text = at.words({
        fish: 'function __e --on-event fish_exit; echo bye; end; exit 4',
        other: "trap 'echo bye' EXIT; exit 4",
      });
      expectEnd(await at.exec(text), 4, /bye/);
    },
  },
  {
    name: 'fails for an unset variable, with set -u',
    differs: { fish: 'It has no `set -u`.' },
    run: async (at) => {
      await at.exec('set -u');
      const result = await at.exec('echo "x${nope}"');
      expect(result.completed).toBe(true);
      expect(result.exitCode).toBeGreaterThan(0);
      if (!result.shellExited) expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'fails to expand a text, without a line editor',
    differs: { fish: 'Its line editor cannot be turned off.' },
    run: async (at) => {
      await at.exec({ bash: 'set +o emacs', zsh: 'unsetopt zle', mksh: 'set +o emacs +o gmacs +o vi', other: ':' });
      const result = await at.exec('echo "${nope:?gone}"');
      expect(result).toMatchObject({ completed: true, output: /gone/ });
      expect(result.exitCode).toBeGreaterThan(0);
      const asked = await at.exec('read x; (exit 5)');
      expect(asked).toMatchObject({ completed: false, state: 'waiting' });
      await at.type('line\r');
      expectEnd(await at.collect(asked.commandId), 5);
    },
  },
  {
    name: 'is replaced by a program that reads a line',
    run: async (at) => {
      const asked = await at.exec("exec sh -c 'read x; exit 4'");
      expect(asked).toMatchObject({ completed: false, state: 'waiting' });
      await at.type('line\r');
      expect(await at.collect(asked.commandId)).toMatchObject({ exitCode: 4, shellExited: true, via: 'exit' });
    },
  },
  {
    name: 'is replaced by a REPL: it has not ended',
    run: async (at) => {
      const replaced = await at.exec('exec python3 -q');
      expect(replaced).toMatchObject({ completed: false, state: 'waiting' });
      await at.type('exit(6)\r');
      expect(await at.collect(replaced.commandId)).toMatchObject({ exitCode: 6, shellExited: true, via: 'exit' });
    },
  },
  {
    name: 'is interrupted while a program sleeps',
    run: async (at) => {
      const { commandId } = await at.begin('sh -c \'echo be""gun; exec sleep 1000\'', 'begun');
      await at.manager.interrupt(at.id, commandId);
      expectEnd(await at.collect(commandId), 130);
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'is interrupted in a loop of the shell',
    run: async (at) => {
      const step = `sh -c 'echo be""gun; exec sleep 1000'`;
      const loop = { fish: `while true\n${step}\nend`, other: `while true\ndo ${step}\ndone` };
      const { commandId } = await at.begin(loop, 'begun');
      await at.manager.interrupt(at.id, commandId);
      expectEnd(await at.collect(commandId), 130);
      expectEnd(await at.exec('echo ok'), 0, 'ok');
    },
  },
  {
    name: 'is stopped by Ctrl-Z and continued by fg',
    run: async (at) => {
      const { commandId } = await at.begin('sh -c \'echo be""gun; read x; echo end\'', 'begun');
      await at.type('\x1a');
      const stopped = await at.collect(commandId, { untilInput: false });
      expect(stopped).toMatchObject({ completed: true });
      expect([0, 145, 146, 147, 148]).toContain(stopped.exitCode);
      const back = await at.exec('fg');
      expect(back).toMatchObject({ completed: false, state: 'waiting' });
      await at.type('\r');
      expectEnd(await at.collect(back.commandId), 0, /end/);
    },
  },
  {
    name: 'ends at the second exit, with a stopped job',
    run: async (at) => {
      const { commandId } = await at.begin('sh -c \'echo be""gun; exec sleep 1000\'', 'begun');
      await at.type('\x1a');
      await at.collect(commandId, { untilInput: false });
      expect(await at.exec('exit')).toMatchObject({ completed: true, shellExited: false });
      expect(await at.exec('exit')).toMatchObject({ completed: true, shellExited: true });
    },
  },
  {
    name: 'is interrupted with the key of its terminal, or without one',
    run: async (at) => {
      for (const key of ['^G', 'undef']) {
        await at.exec(`stty intr ${key}`);
        const begun = `be${key.length}gun`;
        const { commandId } = await at.begin(`sh -c 'echo be""${key.length}gun; exec sleep 1000'`, begun);
        await at.manager.interrupt(at.id, commandId);
        expectEnd(await at.collect(commandId), 130);
      }
    },
  },
  {
    name: 'runs the rest of a command after Ctrl-Z, and keeps the variables that it sets',
    run: async (at) => {
      const first = 'sh -c \'echo be""gun; read x\'';
      const text = { fish: `${first}; set X 1; cd /usr; echo on`, other: `${first}; X=1; cd /usr; echo on` };
      const { commandId } = await at.begin(text, 'begun');
      await at.manager.wait(at.id, { input: true });
      await at.type('\x1a');
      expectEnd(await at.collect(commandId, { untilInput: false }), 0, /on$/);
      expect(await at.exec('echo "<$X>"')).toMatchObject({ output: '<1>', cwd: '/usr' });
    },
  },
  {
    name: 'lets a command continue after the timeout and returns the rest later',
    run: async (at) => {
      // The timeout starts with the call, so the shell must be ready by then.
      await at.exec('true');
      const begun = await at.exec('sh -c "echo one; while ! test -e go; do sleep 0.02; done; echo two"', {
        timeoutMs: 300,
      });
      expect(begun).toMatchObject({ completed: false, state: 'running', exitCode: null });
      await expect(at.exec('echo x')).rejects.toMatchObject({
        code: 'TERMINAL_BUSY',
        details: { commandId: begun.commandId, state: 'running' },
      });
      at.put('../go', '');
      expectEnd(await at.collect(begun.commandId), 0, 'one\ntwo');
    },
  },
  {
    name: 'returns only new output to collectors with a cursor',
    run: async (at) => {
      const begun = await at.begin('sh -c "echo one; while ! test -e go; do sleep 0.02; done; echo two"', /^one$/m);
      await at.prints('one\n');
      const first = await at.manager.collect(at.id, begun.commandId, {});
      at.put('../go', '');
      const request = { cursor: first.cursor, timeoutMs: 60_000 };
      expectEnd(await at.manager.collect(at.id, begun.commandId, request), 0, 'two');
    },
  },
  {
    name: 'takes one of two simultaneous commands',
    run: async (at) => {
      await at.exec('true');
      const both = await Promise.allSettled([at.exec('echo one'), at.exec('echo two')]);
      expect(both[0]).toMatchObject({ status: 'fulfilled', value: { output: 'one', exitCode: 0 } });
      expect(both[1]).toMatchObject({ status: 'rejected', reason: { code: 'TERMINAL_BUSY' } });
    },
  },
  {
    name: 'does not wait for a background job',
    run: async (at) => {
      expectEnd(await at.exec('sleep 1000 &'), 0);
      expectEnd(await at.exec({ fish: 'kill -9 (jobs -p)', other: 'kill -9 $!' }), 0);
    },
  },
  {
    name: 'knows its background jobs by the numbers they have at its prompt',
    differs: { fish: 'It does not take the number of a job as an argument.' },
    run: async (at) => {
      const { output } = await at.exec('sleep 1000 &\necho $!');
      expectEnd(await at.exec(`kill -9 %1; wait; kill -0 ${output.split('\n').at(-1)}`), 1);
      // There is no job of this number.
      expect((await at.exec('kill -9 %1')).exitCode).toBeGreaterThan(0);
      expectEnd(await at.exec('echo alive # still'), 0, 'alive');
    },
  },
  {
    name: 'separates what a background job printed between commands',
    run: async (at) => {
      await at.exec("sh -c 'while ! test -e go; do sleep 0.02; done; echo LA''TE' &");
      await at.prompt();
      at.put('../go', '');
      await at.prints('LATE\n');
      const result = await at.exec('echo clean');
      expectEnd(result, 0, 'clean');
      expect(result.between).toContain('LATE');
    },
  },
  {
    name: 'reports correct exit codes while a background job prints endlessly',
    run: async (at) => {
      await at.exec("sh -c 'i=0; while [ $i -lt 3000 ]; do echo NOISE$i; i=$((i+1)); done' &");
      for (let i = 0; i < 25; i++) {
        const result = await at.exec(`echo R${i}; sh -c 'exit 4'`);
        expectEnd(result, 4, new RegExp(`R${i}$`, 'm'));
      }
    },
  },
];
