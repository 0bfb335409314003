/** Tests that each shell installed on this machine reads quoted words back unchanged. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { asShellText } from './shell-words.js';

const SHELLS = ['bash', 'sh', 'zsh', 'fish'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0);
const RUNS = 30;

it('leaves a single word unchanged', () => {
  expect(asShellText(['cd /tmp && ls'], '/bin/bash')).toBe('cd /tmp && ls');
  expect(asShellText(['ls', '-l', 'a b'], '/bin/bash')).toBe("ls -l 'a b'");
});

it.each(SHELLS)('is parsed by %s into the original words', (shell) => {
  const word = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'ab\'"\\$`!*?~ \n\t;&|<>(){}[]#=%-') }),
    fc.constantFrom('', '-n', '*', '~', 'A=b', '#x', '{a,b}', 'if', 'é'),
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
      const { stdout } = spawnSync(shell, ['-c', asShellText(['printf', '<%s>', ...words], `/usr/bin/${shell}`)]);
      expect(stdout.toString()).toBe(words.map((each) => `<${each}>`).join(''));
    }),
    { numRuns: RUNS },
  );
});
