/** Tests that interactive shells and REPLs are distinguished from the same programs running a script. */
import { takesCommands } from './interpreters.js';

describe('a program that takes commands', () => {
  it.each([
    ...[
      'bash',
      'bash --norc',
      'bash --rcfile file',
      'bash -o vi -i',
      'bash -s',
      'zsh -f',
      'fish -C ls',
      'sh',
      'dash -i',
    ],
    ...[
      'busybox sh',
      'busybox ash -i',
      'python3',
      'python3 -q -W ignore',
      'python3 -i script.py',
      'python3 -m asyncio',
    ],
    ...[
      'python3 /usr/bin/ipython',
      'pypy3',
      'node',
      'node -r esm',
      'node -i -e 1',
      'node --no-warnings',
      'deno',
      'deno repl',
    ],
    ...[
      'bun repl',
      'lua5.4',
      'lua -i script.lua',
      'php -a',
      'ruby /usr/bin/irb',
      'irb',
      'sqlite3 file.db',
      'gdb program',
    ],
  ])('is %s', (line) => {
    const [name, ...args] = line.split(' ');
    expect(takesCommands(name!, args)).toBe(true);
  });

  it.each([
    ...[
      'bash script.sh',
      'bash -c ls',
      'bash -ic ls',
      'bash --norc script.sh',
      'zsh -o vi script',
      'fish -c ls',
      'sh script',
    ],
    ...[
      'busybox',
      'busybox sh script',
      'busybox vi',
      'python3 ask.py',
      'python3 -c 1',
      'python3 -Im pip',
      'python3.12 -u x.py',
    ],
    ...[
      'node ask.js',
      'node --no-warnings ask.js',
      'node -e 1',
      'node --eval=1',
      'node -r esm ask.js',
      'deno run x.ts',
    ],
    ...[
      'bun ask.ts',
      'lua script.lua',
      'php ask.php',
      'php',
      'ruby ask.rb',
      'ruby',
      'perl ask.pl',
      'perl -e 1',
      'vim',
      'cat',
    ],
  ])('is not %s', (line) => {
    const [name, ...args] = line.split(' ');
    expect(takesCommands(name!, args)).toBe(false);
  });
});
