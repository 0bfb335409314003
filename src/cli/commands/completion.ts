/** `tenacitty completion`: prints a script that makes a shell complete commands, flags and ids. */
import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { zshScript } from '../completion/zsh.js';
import { commandsOf } from '../command.js';
import type { ParsedCall, Command, CommandGroup } from '../command.js';
import { usageError } from '../parse.js';
import { print } from '../stdout.js';

const SCRIPTS: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export async function completion(
  { operands: [shell = ''] }: ParsedCall,
  groups: readonly CommandGroup[],
): Promise<void> {
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (!script) {
    const known = Object.keys(SCRIPTS).join(', ');
    throw usageError({ name: 'completion' }, `expected one of ${known}, given ${JSON.stringify(shell)}.`);
  }
  await print(script(commandsOf(groups)));
}
