/**
 * Determines whether a waiting program itself takes commands, so that typed text does not reach the shell that started
 * it. Uses what the kernel reports about the program's arguments and standard input.
 */
import type { InputWait } from '../../contract/command.js';
import { nameOf } from '../../processes/foreground.js';
import { readProc, readProcess } from '../../processes/process-table.js';
import { deviceOf, isPseudoTerminal } from '../../processes/descriptors.js';
import { isPlainShell, isShell, takesCommands } from './interpreters.js';

/** Returns whether a waiting program is another shell, or a REPL, at its prompt. */
export function isNested({ by, kind, pid }: InputWait): boolean {
  if (pid === null || !isInteractive(pid) || isSubshell(pid)) return false;
  return kind === 'program' || (kind !== 'password' && isPlainShell(by));
}

/** Returns whether a program was started interactively and not to run a script. */
export function isInteractive(pid: number): boolean {
  const name = nameOf(pid);
  return name !== null && takesCommands(name, argumentsOf(pid)) && isReadingTerminal(pid);
}

export function isInteractiveShell(pid: number): boolean {
  return isInteractive(pid) && isShell(nameOf(pid)!);
}

/** Returns the arguments of a process, without its name. */
export function argumentsOf(pid: number): string[] {
  const words = (readProc(pid, 'cmdline')?.toString('utf8') ?? '').split('\0');
  return words.slice(1).filter((word) => word !== '');
}

/** Returns whether its standard input is a terminal; true if that cannot be determined. */
function isReadingTerminal(pid: number): boolean {
  const device = deviceOf(pid, 0);
  return device === null || isPseudoTerminal(device);
}

/** Returns whether a shell has forked itself to run a part of a command: `(read x)`. */
export function isSubshell(pid: number): boolean {
  const own = readProcess(pid);
  const address = own?.environmentAddress ?? 0;
  return address !== 0 && readProcess(own!.parent)?.environmentAddress === address;
}
