/** Which programs take commands themselves, so that what is typed is none for the shell they were started from. Pure. */
import type { InputWait } from '../contract/command.js';

const NAMES =
  /^(?:bash|zsh|fish|sh|dash|ash|mksh|ksh|i?python[\d.]*|node|deno|bun|irb|ghci|lua[\d.]*|R|psql|mysql|sqlite3|redis-cli|gdb)$/;

/** Whether a program that waits is another shell, or a REPL, at its prompt. */
export function isNested({ by, kind }: InputWait): boolean {
  return kind === 'program' && NAMES.test(by);
}
