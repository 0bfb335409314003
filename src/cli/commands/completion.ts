/** `tenacitty completion`: prints, or installs, a script that makes a shell complete commands, flags and ids. */
import { basename } from 'node:path';
import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { installCompletion } from '../completion/install.js';
import { zshScript } from '../completion/zsh.js';
import { commandsOf } from '../command.js';
import type { ParsedCall, Command, CommandGroup } from '../command.js';
import { usageError } from '../parse.js';
import { print, printMessage } from '../stdout.js';

const SCRIPTS: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
const INSTALL = 'install';

export async function completion(
  { operands: [first = '', second] }: ParsedCall,
  groups: readonly CommandGroup[],
): Promise<void> {
  if (first !== INSTALL && second !== undefined)
    throw usageError({ name: 'completion' }, `Unexpected argument ${JSON.stringify(second)}.`);
  const shell = first === INSTALL ? (second ?? basename(process.env['SHELL'] ?? '')) : first;
  const script = scriptFor(shell, groups);
  if (first !== INSTALL) return print(script);
  const { files, advice } = installCompletion(shell, script, process.env);
  for (const file of files) printMessage(`wrote ${file}`);
  printMessage(advice ?? 'new shells use it');
}

function scriptFor(shell: string, groups: readonly CommandGroup[]): string {
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script) return script(commandsOf(groups));
  const known = Object.keys(SCRIPTS).join(', ');
  throw usageError({ name: 'completion' }, `expected one of ${known}, given ${JSON.stringify(shell)}.`);
}
