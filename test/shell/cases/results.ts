/** Tests that a command's output and exit status are returned exactly, and that its changes to its shell persist. */
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { differ, expectEnd } from '../shell-at-work.js';
import type { ShellCase } from '../shell-at-work.js';

export const RESULTS: readonly ShellCase[] = [
  { name: 'prints a line', run: async (at) => expectEnd(await at.exec('echo hi'), 0, 'hi') },
  { name: 'prints no final newline', run: async (at) => expectEnd(await at.exec('printf abc'), 0, 'abc') },
  { name: 'fails without output', run: async (at) => expectEnd(await at.exec('false'), 1, '') },
  {
    name: 'fails because its command cannot be redirected',
    run: async (at) => {
      expectEnd(await at.exec('cat < /nonexistent/file'), at.name === 'dash' ? 2 : 1);
      expectEnd(await at.exec({ fish: 'echo $status', other: 'test $? != 0 && echo 1' }), 0, '1');
    },
  },
  {
    name: 'reports its directory after cd',
    run: async (at) => {
      expect((await at.exec('cd /usr/share')).cwd).toBe('/usr/share');
      expectEnd(await at.exec('pwd'), 0, '/usr/share');
    },
  },
  {
    name: 'reports its directory whatever PWD says',
    differs: { fish: 'It does not let PWD be set.' },
    run: async (at) => {
      expect((await at.exec('cd /usr; PWD=/nowhere')).cwd).toBe('/usr');
      expect((await at.exec('cd /; PWD=/usr; false')).cwd).toBe('/');
    },
  },
  {
    name: 'reports its directory after that was renamed',
    run: async (at) => {
      const [before, after] = [join(at.directory, 'before'), join(at.directory, 'after')];
      mkdirSync(before);
      await at.exec(`cd '${before}'`);
      renameSync(before, after);
      expect((await at.exec('true')).cwd).toBe(after);
    },
  },
  {
    name: 'is in a directory with spaces, semicolons and non-ASCII letters',
    run: async (at) => {
      const place = join(at.directory, 'a b;é漢-');
      mkdirSync(place);
      expect((await at.exec(`cd '${place}'`)).cwd).toBe(place);
    },
  },
  {
    name: 'is in a directory with control characters',
    run: async (at) => {
      const place = join(at.directory, 'a\nb\tc;d\x1b[31m\x07e');
      mkdirSync(place);
      expect((await at.exec(`cd a*`)).cwd).toBe(place);
      expect((await at.exec('false')).cwd).toBe(place);
    },
  },
  {
    name: 'is in a directory whose path is too long for one report',
    run: async (at) => {
      const place = join(at.directory, 'd'.repeat(150), 'e'.repeat(150));
      mkdirSync(place, { recursive: true });
      expect((await at.exec(`cd '${place}'`)).cwd).toBe(place);
      expectEnd(await at.exec('echo hi'), 0, 'hi');
    },
  },
  {
    name: 'keeps an exported variable',
    run: async (at) => {
      await at.exec({ fish: 'set -gx FOO bar', other: 'export FOO=bar' });
      expectEnd(await at.exec('sh -c "echo \\$FOO"'), 0, 'bar');
    },
  },
  {
    name: 'keeps a shell variable',
    run: async (at) => {
      await at.exec({ fish: 'set foo bar', other: 'foo=bar' });
      expectEnd(await at.exec('echo $foo'), 0, 'bar');
    },
  },
  {
    name: 'keeps declared arrays and attributes',
    differs: differ(['fish', 'dash', 'busybox', 'mksh'], 'It has no associative arrays.'),
    run: async (at) => {
      await at.exec('declare -A m; m[a]=5');
      expectEnd(await at.exec('echo ${m[a]}'), 0, '5');
    },
  },
  {
    name: 'keeps an alias',
    run: async (at) => {
      await at.exec("alias greet='echo hello'");
      expectEnd(await at.exec('greet you'), 0, 'hello you');
    },
  },
  {
    name: 'uses an alias on the line after its definition',
    run: async (at) => expectEnd(await at.exec("alias g2='echo yo'\ng2 man"), 0, 'yo man'),
  },
  {
    name: 'keeps a function',
    run: async (at) => {
      await at.exec({ fish: 'function f; echo F $argv; end', other: 'f() { echo F "$@"; }' });
      expectEnd(await at.exec('f 1'), 0, 'F 1');
    },
  },
  {
    name: 'keeps its umask and its previous directory',
    run: async (at) => {
      await at.exec('umask 027; cd /usr; cd /etc');
      expectEnd(await at.exec('umask; cd - >/dev/null; pwd'), 0, /^0?027\n\/usr$/);
    },
  },
  {
    name: 'knows the exit code of the previous command',
    run: async (at) => {
      await at.exec("sh -c 'exit 9'");
      expectEnd(await at.exec({ fish: 'echo $status', other: 'echo $?' }), 0, '9');
    },
  },
  {
    name: "knows all exit codes of the previous command's pipeline",
    differs: {
      ...differ(['dash', 'busybox'], 'It has no such variable.'),
      ...differ(['bash', 'zsh', 'fish', 'mksh'], 'Its variable holds one exit code, that of the whole command.'),
    },
    run: async (at) => {
      await at.exec("false | true | sh -c 'exit 3'");
      expectEnd(
        await at.exec({ fish: 'echo $pipestatus', zsh: 'echo $pipestatus', other: 'echo ${PIPESTATUS[@]}' }),
        0,
        '1 0 3',
      );
    },
  },
  {
    name: 'knows the last word of the previous command',
    differs: {
      ...differ(['fish', 'dash', 'busybox'], 'It has no such variable.'),
      ...differ(
        ['bash', 'zsh', 'mksh'],
        'Its `$_` holds a word of the shell integration, which runs between two commands.',
      ),
    },
    run: async (at) => {
      await at.exec('true foo bar');
      expectEnd(await at.exec('echo $_'), 0, 'bar');
    },
  },
  {
    name: 'returns the exit code of a subshell',
    run: async (at) => expectEnd(await at.exec({ fish: "fish -c 'exit 7'", other: '(exit 7)' }), 7),
  },
  {
    name: 'returns 143 if SIGTERM ended a child',
    run: async (at) => expectEnd(await at.exec("sh -c 'kill -TERM $$'"), 143),
  },
  {
    name: 'fails if a pipeline fails, with pipefail',
    differs: differ(['fish', 'dash'], 'It has no such option.'),
    run: async (at) => {
      await at.exec('set -o pipefail');
      expectEnd(await at.exec('false | true'), 1);
    },
  },
  {
    name: 'waits for a job of an earlier command',
    run: async (at) => {
      await at.exec("sh -c 'while ! test -e go; do sleep 0.02; done; exit 5' &");
      const result = await at.exec({ fish: 'touch go; wait; echo done', other: 'touch go; wait $!' });
      expectEnd(result, at.isFish ? 0 : 5);
    },
  },
  {
    name: 'runs fifty commands in a row',
    run: async (at) => {
      for (let i = 0; i < 50; i++) expectEnd(await at.exec(`echo ${i}`), 0, String(i));
    },
  },
  {
    name: 'has its commands recorded with number, text, directory and time',
    run: async (at) => {
      await at.exec('cd /usr');
      await at.exec('echo one\necho two');
      const [first, second] = await at.manager.commands(at.id);
      expect(first).toMatchObject({ commandId: 1, text: 'cd /usr', cwd: '/usr', origin: 'exec', via: 'marker' });
      expect(second).toMatchObject({ commandId: 2, startCwd: '/usr', text: 'echo one\necho two', exitCode: 0 });
      expect(second!.toOffset! - second!.fromOffset).toBe('one\r\ntwo\r\n'.length);
    },
  },
  {
    name: 'has the lines of a command at the position that its record gives',
    run: async (at) => {
      await at.exec('echo one; echo two');
      const { output, fromLine } = await at.manager.read(at.id, {
        since: (await at.manager.command(at.id, 1)).fromLine,
      });
      expect(output.split('\n').slice(0, 2)).toEqual(['one', 'two']);
      expect((await at.manager.command(at.id, 1)).toLine).toBe(fromLine + 2);
    },
  },
  {
    name: 'runs a POSIX loop in several lines',
    differs: { fish: 'It is not a POSIX shell: its loops have another syntax.' },
    run: async (at) => expectEnd(await at.exec('for i in 1 2 3\ndo\n  echo $i\ndone'), 0, '1\n2\n3'),
  },
];
