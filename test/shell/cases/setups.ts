/**
 * Tests that people's setups are preserved, and that commands which interfere with the integration are tolerated,
 * detected or repaired.
 */
import { differ, expectEnd, PLAIN, untilTaken } from '../shell-at-work.js';
import type { ShellCase } from '../shell-at-work.js';

const NO_START_FILE = 'It reads the file named by `ENV` (mksh: `~/.mkshrc`), as without integration.';
const NO_EXEC_TO_FILE = 'It cannot redirect its own output: its `exec` only starts programs.';

export const SETUPS: readonly ShellCase[] = [
  {
    name: 'has its user’s start files, prompt and aliases',
    differs: differ(PLAIN, NO_START_FILE),
    start: async (at) => {
      const text = "alias mine='echo of mine'\n";
      at.put('.bashrc', `${text}PS1='mine> '\necho from the rc file\n`);
      at.put('.zshrc', `${text}PS1='mine> '\necho from the rc file\n`);
      at.put('.config/fish/config.fish', `${text}function fish_prompt; echo -n 'mine> '; end\necho from the rc file\n`);
      await at.start();
    },
    run: async (at) => {
      expectEnd(await at.exec('mine'), 0, 'of mine');
      await at.exec('true');
      const text = await at.shows(/mine> true/);
      expect(text).toMatch(/^from the rc file$/m);
      expect(text).toMatch(/^mine> mine\nof mine$/m);
    },
  },
  {
    name: 'has slow start files',
    differs: differ(PLAIN, NO_START_FILE),
    start: async (at) => {
      const text = 'while ! test -e ../go; do sleep 0.02; done\n';
      at.put('.bashrc', `cd ~; ${text}`);
      at.put('.zshrc', `cd ~; ${text}`);
      at.put('.config/fish/config.fish', 'cd ~; while not test -e ../go; sleep 0.02; end\n');
      await at.start();
    },
    run: async (at) => {
      const waiting = at.exec('echo hi');
      await expect(at.exec('echo x')).rejects.toMatchObject({ code: 'TERMINAL_BUSY', details: { state: 'starting' } });
      at.put('../go', '');
      expectEnd(await waiting, 0, 'hi');
    },
  },
  {
    name: 'is started as a login shell',
    start: async (at) => {
      at.put('.bash_profile', 'export FROM_PROFILE=yes\n');
      at.put('.zprofile', 'export FROM_PROFILE=yes\n');
      at.put('.profile', 'export FROM_PROFILE=yes\n');
      at.put('.config/fish/config.fish', 'status is-login; and set -gx FROM_PROFILE yes\n');
      await at.start({ args: at.name === 'busybox' ? ['sh', '-l'] : ['-l'] });
    },
    run: async (at) => {
      expectEnd(await at.exec('echo $FROM_PROFILE'), 0, 'yes');
      if (at.name === 'bash')
        expectEnd(await at.exec('shopt -q login_shell; echo $?; shopt -qo posix; echo $?'), 0, '0\n1');
      expectEnd(await at.exec('false'), 1, '');
    },
  },
  {
    name: 'has the whole integration removed',
    run: async (at) => {
      const plain = `unset -f ${['mark', 'c', 'd', 'ended', 'beside', 'wrap'].map((name) => `__tenacitty_${name}`).join(' ')}; PS1='x> '`;
      const first = await at.exec({
        ...{ dash: plain, busybox: plain, mksh: plain },
        bash: "unset -f $(compgen -A function __tenacitty_); PROMPT_COMMAND=; PS1='x> '; PS0=",
        zsh: "unfunction -m '__tenacitty_*'; precmd_functions=(); preexec_functions=(); zshaddhistory_functions=(); PS1='x> '",
        other: 'functions -e (functions -an | string match "__tenacitty_*"); function fish_prompt; echo -n "x> "; end',
      });
      expect(first).toMatchObject({ completed: true, via: 'kernel', exitCode: null });
      expectEnd(await at.exec('echo b; false'), 1, 'b');
      expectEnd(await at.exec('echo c'), 0, 'c');
    },
  },
  {
    name: 'replaces itself with another shell of its kind',
    run: async (at) => {
      const another = { bash: 'bash --norc', zsh: 'zsh -f', fish: 'fish -N', busybox: 'busybox sh', mksh: 'mksh' };
      const first = await at.exec({ ...prefixed('echo a; exec ', another), other: 'echo a; exec dash -i' });
      expect(first).toMatchObject({ completed: true, via: 'kernel', exitCode: null });
      // An inherited prompt prints no marks without the secret, which is not inherited; fish does not report where its
      // own prompt begins.
      expect(first.output).toMatch(at.name === 'bash' || at.name === 'zsh' ? /^a$/ : /^a\n/);
      expectEnd(await at.exec('echo again; false'), 1, 'again');
    },
  },
  {
    name: 'replaces itself with another kind of shell',
    run: async (at) => {
      const first = await at.exec({ bash: 'exec zsh -f', other: 'exec bash --norc' });
      expect(first).toMatchObject({ completed: true, via: 'kernel', exitCode: null });
      expectEnd(await at.exec('echo again; false'), 1, 'again');
    },
  },
  {
    name: 'redirects its output to a file permanently',
    differs: { fish: NO_EXEC_TO_FILE },
    run: async (at) => {
      await at.exec('exec >out.txt');
      expect(await at.exec('echo into-file; false')).toMatchObject({ completed: true, exitCode: 1, output: '' });
      expectEnd(await at.exec('exec >/dev/tty; cat out.txt'), 0, /into-file/);
      expectEnd(await at.exec('echo back; false'), 1, 'back');
    },
  },
  {
    name: 'redirects its errors to a file permanently',
    differs: { fish: NO_EXEC_TO_FILE },
    run: async (at) => {
      await at.exec('exec 2>errors.txt');
      expectEnd(await at.exec('echo said; nosuch'), 127, 'said');
      expectEnd(await at.exec('cat errors.txt'), 0, /nosuch/);
      for (let turn = 0; turn < 20; turn++) expectEnd(await at.exec(`echo ${turn}`), 0, `${turn}`);
      const { commandId } = await at.begin(`while true; do sh -c 'echo be""gun; exec sleep 1000'; done`, 'begun');
      await at.manager.interrupt(at.id, commandId);
      expectEnd(await at.collect(commandId), 130);
      expectEnd(await at.exec('exec 2>/dev/tty; nosuch'), 127, /nosuch/);
      expectEnd(await at.exec('echo back; false'), 1, 'back');
    },
  },
  {
    name: 'has its errors redirected to a file by a person',
    differs: { fish: NO_EXEC_TO_FILE },
    run: async (at) => {
      await at.prompt();
      await at.type('exec 2>errors.txt\r');
      expectEnd(await untilTaken(() => at.exec('echo said; nosuch')), 127, 'said');
      await at.type('echo typed >typed.txt\r');
      expectEnd(await untilTaken(() => at.exec('cat typed.txt')), 0, 'typed');
      await at.type('exec 2>/dev/tty\r');
      expectEnd(await untilTaken(() => at.exec('echo back; false')), 1, 'back');
    },
  },
  {
    name: 'has a DEBUG trap',
    differs: differ(['fish', ...PLAIN], 'It has no such trap.'),
    run: async (at) => {
      await at.exec("trap 'echo DBG' DEBUG");
      expectEnd(await at.exec('true; false'), 1, /DBG/);
      const { output } = await at.exec('echo ok');
      expect(output).toMatch(/^ok$/m);
      // For the command and for its evaluation, but not for the integration's own code around it.
      if (at.name === 'bash') expect(output).toBe('DBG\nDBG\nok');
    },
  },
  {
    name: 'has a DEBUG trap that sees nothing of the integration',
    differs: {
      ...differ(['fish', ...PLAIN], 'It has no such trap.'),
      ...differ(['bash', 'zsh'], 'Its trap also sees how the integration evaluates the command.'),
    },
    run: async (at) => {
      await at.exec("trap 'echo DBG' DEBUG");
      expectEnd(await at.exec('echo ok'), 0, 'DBG\nok');
    },
  },
  {
    name: 'has an ERR trap that sees each failure once and nothing of the integration',
    differs: {
      ...differ(['fish', 'dash', 'busybox'], 'It has no such trap.'),
      mksh: 'Its trap sees a failure twice, because of `eval`.',
    },
    run: async (at) => {
      await at.exec("trap 'echo ERR$?' ERR");
      expectEnd(await at.exec('sh -c "exit 3"'), 3, 'ERR3');
      expect(await at.exec('echo "$?"')).toMatchObject({ output: '3', between: '' });
      expectEnd(await at.exec('trap - ERR; false'), 1, '');
    },
  },
  {
    name: 'has a CHLD trap that sees only the children of commands',
    differs: { fish: 'Its trap also sees the children of its prompt.' },
    run: async (at) => {
      await at.exec("trap 'echo CHLD' CHLD; false");
      expect(await at.exec('echo a; false')).toMatchObject({ output: 'a', between: '' });
      expect(await at.exec('echo $?')).toMatchObject({ output: '1', between: '' });
    },
  },
  {
    name: 'has a RETURN trap that functions inherit',
    differs: differ(['zsh', 'fish', ...PLAIN], 'It has no such trap.'),
    run: async (at) => {
      await at.exec("f() { :; }; trap 'echo RETURNED' RETURN; set -T");
      expect(await at.exec('f')).toMatchObject({ output: 'RETURNED', between: '' });
      expect(await at.exec('echo a')).toMatchObject({ output: 'a', between: '' });
    },
  },
  {
    name: 'prints exit values itself (print_exit_value)',
    differs: differ(['bash', 'fish', ...PLAIN], 'It has no such option.'),
    run: async (at) => {
      await at.exec('setopt print_exit_value');
      expectEnd(await at.exec('(exit 3)'), 3, /^zsh: exit 3 .*$/);
      expect(await at.exec('true')).toMatchObject({ output: '', between: '' });
    },
  },
  {
    name: 'expands each word when a blank is typed after it',
    differs: differ(['bash', 'fish', ...PLAIN], 'It does not expand what it evaluates.'),
    start: async (at) => {
      const widget = 'expand() { zle _expand_alias; zle expand-word; zle self-insert }';
      at.put('.zshrc', `autoload -Uz compinit; compinit -D; ${widget}; zle -N expand; bindkey ' ' expand\n`);
      await at.start();
    },
    run: async (at) => {
      expectEnd(await at.exec('sh -c "exit 4"'), 4, '');
      expectEnd(await at.exec('echo $?; sh -c "exit 5"'), 5, '4');
      expectEnd(await at.exec('unsetopt aliases'), 0, '');
      expectEnd(await at.exec('sh -c "exit 6"'), 6, '');
    },
  },
  {
    name: 'behaves like other shells (emulate)',
    differs: differ(['bash', 'fish', ...PLAIN], 'It has no such modes.'),
    run: async (at) => {
      for (const shell of ['ksh', 'csh', 'sh', '-R sh', '-R csh', 'zsh']) {
        expectEnd(await at.exec(`emulate ${shell}; (exit 5)`), 5, '');
        expectEnd(await at.exec('echo $?; (exit 6)'), 6, '5');
      }
    },
  },
  {
    name: 'has the variable of another shell in its environment',
    start: (at) => at.start({ env: { KSH_VERSION: 'some' } }),
    run: async (at) => expectEnd(await at.exec('echo a; sh -c "exit 3"'), 3, 'a'),
  },
  {
    name: 'continues after a failing AND list under set -e',
    differs: {
      ...differ(['dash', 'busybox', 'mksh'], 'It ends, because its `eval` failed.'),
      fish: 'It has no `set -e`.',
    },
    run: async (at) => {
      await at.exec('set -e');
      expectEnd(await at.exec('false && true'), 1, '');
      expectEnd(await at.exec('echo on'), 0, 'on');
      expect(await at.exec('false; echo no')).toMatchObject({ completed: true, shellExited: true, exitCode: 1 });
    },
  },
  {
    name: 'has aliases that replace builtins',
    run: async (at) => {
      const words = [
        'eval',
        'builtin',
        'printf',
        'command',
        'return',
        'local',
        'read',
        'cat',
        'test',
        'set',
        'unset',
        'print',
      ];
      const taken = at.isFish
        ? words.map((word) => `abbr -a ${word} echo ALIASED`)
        : words.map((word) => `alias ${word}='echo ALIASED'`);
      await at.exec(taken.join('; '));
      expectEnd(await at.exec('echo x; sh -c "exit 3"'), 3, 'x');
      expectEnd(await at.exec("eval 'echo mine'"), 0, at.isFish ? 'mine' : 'ALIASED echo mine');
      // It is loaded again.
      await at.exec({ fish: 'functions -e __tenacitty_c', other: '\\unset -f __tenacitty_c' });
      expectEnd(await at.exec('echo y; sh -c "exit 4"'), 4, 'y');
    },
  },
  {
    name: 'has an empty PATH',
    run: async (at) => {
      await at.exec({ fish: 'set PATH /nowhere', other: 'PATH=/nowhere' });
      expectEnd(await at.exec('echo b; /bin/sh -c "exit 4"'), 4, 'b');
      await at.exec({ fish: 'set -e PATH', other: 'unset PATH' });
      expectEnd(await at.exec('echo c; /bin/sh -c "exit 5"'), 5, 'c');
    },
  },
  {
    name: 'has its variables unset',
    differs: {
      fish: 'It does not unset the variables it needs itself.',
      zsh: 'It does not unset the variables it needs itself.',
    },
    run: async (at) => {
      await at.exec({
        bash: 'for v in $(compgen -v); do unset "$v" 2>/dev/null; done',
        other:
          'for v in $(set | grep -o "^[A-Za-z_0-9]*="); do case $v in PPID=|OPTIND=) ;; *) unset "${v%=}" ;; esac; done',
      });
      expectEnd(await at.exec('echo x; (exit 3)'), 3, 'x');
      expectEnd(await at.exec('false'), 1, '');
    },
  },
  {
    name: 'has its history exclusions removed',
    differs: differ(['fish', ...PLAIN], 'It has no such feature.'),
    run: async (at) => {
      await at.exec('true');
      await at.exec({
        bash: 'HISTIGNORE= HISTCONTROL= PROMPT_COMMAND=',
        other: 'zshaddhistory_functions=() precmd_functions=()',
      });
      await at.exec('true');
      await at.prompt();
      await at.type('echo typed >typed.txt\r');
      await untilTaken(() => at.exec('cat typed.txt'));
      const { output } = await at.exec('fc -l 1');
      expect(output).toContain('echo typed');
      expect(output.match(/__tenacitty_d/g) ?? []).toEqual([]);
    },
  },
  {
    name: 'traces commands with set -x',
    differs: { fish: 'Its `fish_trace` also shows the integration.' },
    run: async (at) => {
      await at.exec('set -x');
      const result = await at.exec('echo hi; sh -c "exit 3"');
      expectEnd(result, 3, /^hi$/m);
      if (at.name !== 'mksh') expect(result.output).not.toMatch(/__tenacitty/);
      if (['dash', 'busybox'].includes(at.name))
        expect(result.output.split('\n').slice(0, 2)).toEqual(['+ echo hi', 'hi']);
      // Its text is nested one level deeper than typed text.
      if (at.name === 'bash') expect(result.output).toMatch(/^\+\+ echo hi\nhi\n/);
      // The integration's code in the prompt is not traced either; in bash, the names of its functions are.
      const { between } = await at.exec('true');
      if (at.name === 'zsh') expect(between).toBe('');
      const shown = (await at.manager.read(at.id, { format: 'raw' })).output;
      await at.exec('set +x');
      expect(shown).not.toContain(await at.nonce());
    },
  },
  {
    name: 'sends its trace to a descriptor of its own',
    differs: differ(['zsh', 'fish', ...PLAIN], 'It has no such variable.'),
    run: async (at) => {
      await at.exec('exec 9>&1; BASH_XTRACEFD=9; set -x');
      expectEnd(await at.exec('sh -c "exit 3"'), 3, /^\+\+ sh -c 'exit 3'$/m);
      await at.exec('BASH_XTRACEFD=1');
      expectEnd(await at.exec('echo hi'), 0, /^\+\+ echo hi\nhi$/m);
      await at.exec('PS0= PS1="$ " PS2=');
      await at.type('echo typed >typed.txt\r');
      await untilTaken(() => at.exec('cat typed.txt'));
      const shown = (await at.manager.read(at.id, { format: 'raw' })).output;
      expect(shown).not.toContain(await at.nonce());
    },
  },
  {
    name: 'traces from its start',
    differs: differ(['zsh', 'fish', ...PLAIN], 'It takes no options from the environment.'),
    start: (at) => at.start({ env: { SHELLOPTS: 'xtrace:verbose', BASH_XTRACEFD: '1' } }),
    run: async (at) => {
      expectEnd(await at.exec('sh -c "exit 3"'), 3, /exit 3/);
      const shown = (await at.manager.read(at.id, { format: 'raw' })).output;
      expect(shown).not.toContain(await at.nonce());
    },
  },
  {
    name: 'has a function that replaces eval',
    run: async (at) => {
      await at.exec({ fish: 'function evil; end', other: 'eval() { echo mine; }' });
      expectEnd(await at.exec('echo ok'), 0, 'ok');
      expectEnd(await at.exec('sh -c "exit 3"'), 3, '');
    },
  },
  {
    name: 'takes assignments anywhere in a command (set -k)',
    differs: differ(['zsh', 'fish', ...PLAIN], 'It has no such option.'),
    run: async (at) => {
      await at.exec('set -k');
      expect(await at.exec('sh -c \'echo "[$X]"; exit 3\' X=1')).toMatchObject({
        exitCode: 3,
        output: '[1]',
        via: 'marker',
      });
    },
  },
  {
    name: 'has no shell integration if it is switched off',
    start: (at) => at.start({ integration: false }),
    run: async (at) => {
      await expect(at.exec('echo hi')).rejects.toMatchObject({ code: 'NOT_INTEGRATED' });
      expect(await at.manager.get(at.id)).toMatchObject({ integrated: false });
      expect(await at.manager.commands(at.id)).toEqual([]);
    },
  },
];

function prefixed(prefix: string, words: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(words).map(([name, word]) => [name, prefix + word]));
}
