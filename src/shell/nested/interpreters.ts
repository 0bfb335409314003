/**
 * Determines which programs take commands: shells, REPLs and similar programs. Their arguments show whether they run
 * interactively or execute a script. Pure; does not depend on processes.
 */
import { basename } from 'node:path';

/** How to tell from its arguments what an interpreter runs. */
interface Interpreter {
  readonly names: RegExp;
  /** Whether it takes commands if no script is given. */
  readonly isRepl: boolean;
  /** Options whose value is a separate argument. */
  readonly valued?: RegExp;
  /** Options that say what to run. */
  readonly runs?: RegExp;
  /** Options that make it interactive, regardless of the other arguments. */
  readonly interactive?: RegExp;
  /** Arguments that start a REPL, each alone or as an option followed by its value. */
  readonly begins?: RegExp;
}

const POSIX_SHELLS = /^(?:bash|zsh|sh|dash|ash|mksh|ksh|ksh93|yash)$/;

const INTERPRETERS: readonly Interpreter[] = [
  {
    ...{ names: POSIX_SHELLS, isRepl: true },
    valued: /^(?:--rcfile|--init-file|[-+][a-zA-Z]*[oO])$/,
    runs: /^-[a-zA-Z]*c[a-zA-Z]*$/,
    begins: /^-[a-zA-Z]*s[a-zA-Z]*$/,
  },
  {
    ...{ names: /^fish$/, isRepl: true },
    valued: /^(?:-[CdDo]|--init-command|--debug|--features)$/,
    runs: /^(?:-[a-zA-Z]*c|--command)/,
  },
  {
    ...{ names: /^(?:python|pypy)[\d.]*$/, isRepl: true },
    valued: /^-[WX]$/,
    runs: /^-[bBdEhIOPqRsSuvVx]*[cm]/,
    interactive: /^-[bBdEhIOPqRsSuvVx]*i/,
    begins: /^-m ?(?:code|asyncio|IPython|ptpython|bpython|pdb)$/,
  },
  {
    ...{ names: /^node(?:js)?$/, isRepl: true },
    valued: /^(?:-[rC]|--require|--import|--loader|--experimental-loader|--conditions|--title)$/,
    runs: /^(?:-[epc]|-pe|--eval|--print|--check|--test|--run|--watch)(?:=|$)/,
    interactive: /^(?:-i|--interactive)$/,
  },
  { names: /^deno$/, isRepl: true, begins: /^repl$/ },
  { names: /^bun$/, isRepl: false, begins: /^repl$/ },
  { names: /^lua(?:jit)?[\d.]*$/, isRepl: true, valued: /^-[lj]$/, runs: /^-e/, interactive: /^-i$/ },
  { names: /^php[\d.]*$/, isRepl: false, interactive: /^(?:-a|--interactive)$/ },
  { names: /^(?:ruby|perl)[\d.]*$/, isRepl: false },
];

/** Programs that take commands however they are started; some are scripts for the programs in `INTERPRETERS`. */
const REPLS = /^(?:irb|pry|(?:i|b|pt)python[\d.]*|ghci?|R|psql|mysql|mariadb|sqlite3|redis-cli|mongosh|gdb)$/;

/**
 * Returns whether a program takes commands interactively.
 *
 * @param name - Its name, from its first argument.
 * @param args - The remaining arguments.
 */
export function takesCommands(name: string, args: readonly string[]): boolean {
  if (name === 'busybox') return args.length > 0 && takesCommands(basename(args[0]!), args.slice(1));
  const how = INTERPRETERS.find(({ names }) => names.test(name));
  if (how === undefined) return REPLS.test(name);
  const script = args.some((argument) => how.interactive?.test(argument)) ? null : whatRuns(how, args);
  return script === undefined ? how.isRepl : script === null || REPLS.test(basename(script));
}

/** Returns what the arguments tell it to run: undefined for nothing, null for interactive commands. */
function whatRuns({ valued, runs, begins }: Interpreter, args: readonly string[]): string | null | undefined {
  for (let at = 0; at < args.length; at++) {
    const argument = args[at]!;
    if (begins?.test(argument) || begins?.test(`${argument} ${args[at + 1] ?? ''}`)) return null;
    if (runs?.test(argument)) return argument;
    if (valued?.test(argument)) at++;
    else if (!/^(?:[-+]|$)/.test(argument)) return argument;
  }
  return undefined;
}

export function isShell(name: string): boolean {
  return POSIX_SHELLS.test(name) || /^(?:fish|busybox)$/.test(name);
}

/** Returns whether it is a shell that may have no line editor, in which case it reads lines like any other program. */
export function isPlainShell(name: string): boolean {
  return /^(?:sh|dash|ash|mksh|ksh|busybox)$/.test(name);
}
