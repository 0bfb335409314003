/**
 * Classifies shell builtins and keywords: which are harmless in every shell, with which arguments, and which count as
 * not understood. Pure.
 */
import { UNKNOWN_ARGUMENTS } from './line-analysis.js';
import type { Argument, Assignment } from './line-analysis.js';

/**
 * Names that belong to compound commands, run their arguments as text, or change how later commands are interpreted.
 */
const NOT_ANALYZED = namesIn(`
  ! { } [[ - . if then elif else fi for foreach while until do done end begin case esac in select switch function
  coproc repeat always and or not nocorrect noglob eval source exec command builtin trap alias unalias abbr hash rehash
  unhash enable disable let declare typeset local private global nameref readonly integer float unset read sysread getln
  pushln getopts argparse mapfile readarray shift return break continue logout bye suspend wait jobs fg bg disown pushd
  popd dirs chdir umask ulimit limit unlimit shopt setopt unsetopt emulate fc history r bind bindkey complete compgen
  compopt compctl compcall commandline zle vared autoload functions funced funcsave emit print sched zcompile zmodload
  zstyle zformat zparseopts zregexparse zpty zsocket ztcp zstat strftime string aliases fish_add_path
  setenv prevd nextd cdh psub`);

/** Variables whose values a shell evaluates, running commands in them, or that change how a shell behaves. */
const EVALUATED = namesIn(`
  RANDOM SRANDOM SECONDS HISTCMD OPTIND LINENO EPOCHSECONDS BASHPID COLUMNS LINES HISTSIZE SAVEHIST SHLVL KEYTIMEOUT
  MAILCHECK UID EUID GID EGID ERRNO FUNCNEST LISTMAX TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT TMOUT LOGCHECK DIRSTACKSIZE
  BAUD IGNOREEOF PPID PGRP REPORTTIME REPORTMEMORY TTYIDLE HISTNO CURSOR MARK USER_ID KSHUID KSHGID KSHEGID status
  options builtins dis_builtins dis_functions dis_aliases nameddirs`);

/** The only conversions allowed in a format: others evaluate numbers or set a variable. */
const TEXT_FORMATS = /%%|%-?[0-9]*[sbc]/g;
const EXPORTED = /^([A-Za-z_]\w*)(?:=([^(]*))?$/s;
/** Tests of files and strings. Other tests evaluate numbers and names. */
const FILE_TESTS = /^-[bcdefghknprsuwxzLOSG]$/;
const OPTIONS_SET = /^-(?:[eux]+|[eux]*o pipefail)$/;

type Args = readonly Argument[];

/**
 * Builtins that start nothing and write nothing but output. Each function returns whether that is certain for the given
 * arguments.
 */
const HARMLESS: Readonly<Record<string, (args: Args) => boolean>> = {
  ...Object.fromEntries([':', 'true', 'false', 'echo', 'pwd', 'cd'].map((name) => [name, () => true])),
  exit: (args) => args.every((word) => /^[0-9]+$/.test(String(word))),
  printf: ([format]) => typeof format === 'string' && /^(?!-)[^%]*$/.test(format.replace(TEXT_FORMATS, '')),
  set: (args) => OPTIONS_SET.test(args.map(String).join(' ')),
  export: (args) => args.every((word) => typeof word === 'string' && EXPORTED.test(word)),
  test: isPlainTest,
  '[': (args) => args.at(-1) === ']' && isPlainTest(args.slice(0, -1)),
};

function isPlainTest(args: Args): boolean {
  const own = args[0] === '!' ? args.slice(1) : args;
  const [first, second] = own;
  if (own.includes(UNKNOWN_ARGUMENTS)) return false;
  if (own.length === 2) return typeof first === 'string' && FILE_TESTS.test(first);
  return own.length === 3 && (second === '=' || second === '!=');
}

/** Returns whether this builtin is allowed for every caller that can run commands in a shell. */
export function isHarmlessBuiltin(program: string): boolean {
  return Object.hasOwn(HARMLESS, program);
}

/**
 * Returns whether a builtin or keyword always counts as not understood, in which case it is not checked against the
 * rules.
 */
export function isUnanalyzedBuiltin(program: string): boolean {
  return NOT_ANALYZED.has(program);
}

/**
 * Returns a human-readable reason why a builtin could do more than is known; null if it cannot, or if the name is that
 * of a program.
 */
export function doubtOfBuiltin(program: string, args: Args): string | null {
  if (isUnanalyzedBuiltin(program)) return `\`${program}\` is not analysed`;
  if (!isHarmlessBuiltin(program) || HARMLESS[program]!(args)) return null;
  return `\`${program}\` with such arguments is not analysed`;
}

/** Returns the variables that a builtin sets. */
export function assignedBy(program: string, args: Args): Assignment[] {
  const names = program === 'export' ? args.map((word) => EXPORTED.exec(String(word))) : [];
  return names.flatMap((found) =>
    found === null ? [] : { name: found[1]!, value: found[2] ?? null, isPassedOn: true },
  );
}

/** Returns a human-readable reason why setting a variable could run something; null if it cannot. */
export function doubtOfAssignment({ name, value }: Assignment): string | null {
  const isPlain = value !== null && /^[0-9]*$/.test(value);
  return EVALUATED.has(name) && !isPlain ? `a shell evaluates the value of \`${name}\`` : null;
}

function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
