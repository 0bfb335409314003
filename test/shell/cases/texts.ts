/** Tests that a command's text is run unchanged, or rejected; it never hangs and never runs twice. */
import { differ, expectEnd } from '../shell-at-work.js';
import type { ShellAtWork, ShellCase } from '../shell-at-work.js';

/** After something odd, the shell works as before. */
async function goesOn(at: ShellAtWork): Promise<void> {
  expectEnd(await at.exec('echo ok'), 0, 'ok');
}

async function failsAndGoesOn(at: ShellAtWork, text: string): Promise<void> {
  const result = await at.exec(text);
  expect(result).toMatchObject({ completed: true, shellExited: false });
  expect(result.exitCode).toBeGreaterThan(0);
  await goesOn(at);
}

export const TEXTS: readonly ShellCase[] = [
  {
    name: 'runs three lines as one command',
    run: async (at) => expectEnd(await at.exec('echo a\nfalse\necho c; false'), 1, 'a\nc'),
  },
  {
    name: 'reads a heredoc verbatim',
    differs: { fish: 'It has no heredocs.' },
    run: async (at) => {
      const result = await at.exec("cat <<'EOF'\n$HOME `x` \"q\n\tTab\nEOF");
      expectEnd(result, 0, '$HOME `x` "q\n        Tab');
    },
  },
  { name: 'rejects an unclosed quote', run: (at) => failsAndGoesOn(at, 'echo "abc') },
  {
    name: 'rejects an unclosed block',
    run: (at) => failsAndGoesOn(at, at.words({ fish: 'if true\necho x', other: 'if true; then\necho x' })),
  },
  { name: 'rejects an extra bracket', run: (at) => failsAndGoesOn(at, 'echo )') },
  {
    name: 'gets an incomplete text: it does not ask for the rest',
    run: async (at) => {
      for (const text of [
        'cat <<X\nhi',
        'f()',
        'f() ',
        'echo $(',
        'if true',
        '{',
        "echo '",
        'case x in',
        'true &&',
        'echo |',
      ])
        expect(await at.exec(text)).toMatchObject({ completed: true, shellExited: false, state: 'completed' });
      await goesOn(at);
    },
  },
  {
    name: 'has the same name in a text of several lines',
    differs: { fish: 'It has no `$0`.' },
    run: async (at) => {
      const { output } = await at.exec('echo $0');
      expectEnd(await at.exec('echo a\necho $0'), 0, `a\n${output}`);
    },
  },
  {
    name: 'gets a text that only mentions its line editor: the text is evaluated like any other',
    differs: differ(['zsh', 'fish', 'dash', 'busybox', 'mksh'], 'It evaluates all texts in the same way.'),
    run: async (at) => {
      expectEnd(await at.exec('echo "set -o vi"; return 5; echo on'), 0, /^set -o vi\n.*return.*\non$/);
      expectEnd(await at.exec('echo "set +o vi"; return 5; echo on'), 0, /on$/);
      expectEnd(await at.exec('set -o vi\necho on; (exit 3)'), 3, 'on');
    },
  },
  { name: 'does nothing for a comment', run: async (at) => expectEnd(await at.exec('# a comment'), 0, '') },
  { name: 'ignores a trailing comment', run: async (at) => expectEnd(await at.exec('echo x # note'), 0, 'x') },
  { name: 'does nothing for an empty text', run: async (at) => expectEnd(await at.exec(''), 0, '') },
  {
    name: 'ends after a final backslash',
    run: async (at) => {
      expect(await at.exec('echo a \\')).toMatchObject({ completed: true });
      await goesOn(at);
    },
  },
  {
    name: 'does not expand exclamation marks',
    run: async (at) => expectEnd(await at.exec('echo "hi!there !! !x"'), 0, 'hi!there !! !x'),
  },
  {
    name: 'takes non-ASCII letters',
    run: async (at) => expectEnd(await at.exec("printf '%s\\n' 'é 漢字 👩‍👩‍👧 ñ'"), 0, 'é 漢字 👩‍👩‍👧 ñ'),
  },
  {
    name: 'takes 100 KB',
    run: async (at) => {
      const text = 'x'.repeat(100 * 1024);
      const result = await at.exec({ fish: `set v '${text}'; string length $v`, other: `v='${text}'; echo \${#v}` });
      expectEnd(result, 0, '102400');
    },
  },
  {
    name: 'takes a thousand lines',
    run: async (at) => {
      const lines = Array.from({ length: 1000 }, (_, i) => `line ${i}`);
      expectEnd(await at.exec(lines.map((line) => `echo ${line}`).join('\n')), 0, lines.join('\n'));
    },
  },
  {
    name: 'takes control characters',
    run: async (at) => expectEnd(await at.exec("printf '%s' '\x01\x07\x1b[31m' | wc -c"), 0, /^ *7$/),
  },
  {
    name: 'runs a text that equals the injected line',
    run: async (at) => {
      expect(await at.exec('__tenacitty_c 1; echo x')).toMatchObject({ completed: true });
      await goesOn(at);
    },
  },
  {
    name: 'takes a text that looks like an option',
    run: async (at) => {
      expectEnd(await at.exec('-x foo'), 127, /-x/);
      expectEnd(await at.exec('--'), 127, /--/);
    },
  },
  {
    name: 'does not run a command twice',
    run: async (at) => {
      await at.exec('echo once >>log');
      await at.exec('true');
      expectEnd(await at.exec('cat log'), 0, 'once');
    },
  },
];
