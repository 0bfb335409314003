/**
 * Builtins that take variable names, or numbers that the shell evaluates: which of their arguments could run anything.
 * Whatever is not known to be harmless is a doubt. Pure.
 */
import { isPlainNumber, MANY, NUMBER, ONE } from './found.js';
import type { Dialect } from './dialect.js';
import type { Argument } from './found.js';

type Doubting = (program: string, args: readonly Argument[], dialect: Dialect) => string | null;

const DECLARING = ['export', 'declare', 'typeset', 'local', 'readonly'];
const SETTING = [...DECLARING, 'unset', 'read', 'getopts', 'mapfile', 'readarray', 'wait'];
const LEADING_NAME = /^[A-Za-z_][A-Za-z0-9_]*/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const SAFE_OPTIONS = ['errexit', 'nounset', 'pipefail', 'xtrace', 'verbose', 'noclobber', 'noglob', 'monitor'];
/** `%n` sets a variable. */
const COUNTING = /%[^%A-Za-z]*[hlLjzt]*n/;
const TEXT_FORMATS = /^(?:[^%]|%%|%-?[0-9]*[sbqc])*$/;

/** An option, a number, or a name with or without a prompt. */
const READ_BY_ZSH = /^(?:[-+](?:(?![tkud])[A-Za-z])*(?:[tkud][0-9.]*)?|--|[0-9.]+|[A-Za-z_]\w*(?:\?.*)?)$/s;

const UNKNOWN_NAME = (program: string) => `\`${program}\` of a variable whose name only the shell knows`;
const SUBSCRIPT = (program: string) => `\`${program}\` evaluates the subscripts and elements of variables`;

const DOUBTS: Readonly<Record<string, Doubting>> = {
  ...Object.fromEntries(DECLARING.map((name) => [name, ofNames(/^[-+][xrgpaAlu]+$/)])),
  ...{ unset: ofNames(/^-[fv]+$/), wait: ofNames(/^-[nf]+$/), read: ofRead, getopts: ofGetopts },
  ...{ mapfile: ofMapfile, readarray: ofMapfile, printf: ofPrintf, test: ofTest, '[': ofTest },
  ...{ set: ofSet, jobs: ofJobs, hash: ofHash },
  ...Object.fromEntries(
    ['exit', 'return', 'shift', 'break', 'continue', 'logout', 'bye'].map((name) => [name, ofNumber]),
  ),
};

/** Returns why something could run that is not written as a command; null if that is impossible. */
export function doubtOfBuiltin(program: string, args: readonly Argument[], dialect: Dialect): string | null {
  if (!Object.hasOwn(DOUBTS, program)) return null;
  if (textsOf(args).some((text) => /\$\(|`/.test(text))) return SUBSCRIPT(program);
  return DOUBTS[program]!(program, args, dialect);
}

/**
 * Returns the variables that it sets. If an option and its value are one word, returns everything that could be the
 * value.
 */
export function namesSetBy(program: string, args: readonly Argument[]): string[] {
  const texts = textsOf(args);
  if (program === 'printf') return texts[0]?.startsWith('-v') === true ? [texts[0].slice(2) || (texts[1] ?? '')] : [];
  if (!SETTING.includes(program)) return [];
  const attached = texts.filter((text) => /^-./.test(text)).flatMap((text) => [...text].map((_, at) => text.slice(at)));
  return [...texts, ...attached].flatMap((text) => LEADING_NAME.exec(text) ?? []);
}

/** Returns whether variables set by these words, or before them, are passed on to programs. */
export function isPassingOn([program, ...args]: readonly Argument[]): boolean {
  const isKeeping = typeof program === 'string' && program !== 'export' && [...SETTING, 'printf'].includes(program);
  return !isKeeping || textsOf(args).some((text) => /^-[A-Za-z]*x/.test(text));
}

function textsOf(args: readonly Argument[]): string[] {
  return args.filter((argument) => typeof argument === 'string');
}

function isUnknown(argument: Argument | undefined): boolean {
  return argument === ONE || argument === MANY;
}

function ofNames(options: RegExp): Doubting {
  return (program, args) => {
    if (args.some(isUnknown)) return UNKNOWN_NAME(program);
    const texts = textsOf(args);
    if (texts.some((text) => /\[|=\(/.test(text))) return SUBSCRIPT(program);
    const other = texts.find((text) => /^[-+]./.test(text) && text !== '--' && !options.test(text));
    return other === undefined ? null : `\`${program} ${other}\` is not looked into`;
  };
}

/** zsh evaluates timeouts and character counts. */
function ofRead(program: string, args: readonly Argument[], dialect: Dialect): string | null {
  const isEvaluating = dialect === 'zsh' && textsOf(args).some((text) => !READ_BY_ZSH.test(text));
  return ofNames(/^[-+]/)(program, args, dialect) ?? (isEvaluating ? `\`${program}\` evaluates numbers in zsh` : null);
}

/** The arguments after the name are only read. */
function ofGetopts(program: string, args: readonly Argument[], dialect: Dialect): string | null {
  return ofNames(/^[-+]/)(program, args.slice(0, args[0] === '--' ? 3 : 2), dialect);
}

function ofMapfile(program: string, args: readonly Argument[], dialect: Dialect): string | null {
  return ofNames(/^-[tdnOsuc]+[^C]*$/)(program, args, dialect);
}

function ofPrintf(_program: string, args: readonly Argument[], dialect: Dialect): string | null {
  const [first, second] = args;
  if (isUnknown(first)) return '`printf` with arguments that only the shell knows';
  const isNaming = typeof first === 'string' && first.startsWith('-v');
  const name = first === '-v' ? second : isNaming ? first.slice(2) : 'none';
  if (typeof name !== 'string' || !NAME.test(name)) return UNKNOWN_NAME('printf');
  const rest = args.slice(first === '-v' ? 2 : isNaming ? 1 : 0);
  const [format = '', ...values] = rest[0] === '--' ? rest.slice(1) : rest;
  if (typeof format !== 'string' || COUNTING.test(format)) return '`printf` with a format that could set a variable';
  const isEvaluating = dialect === 'zsh' && !TEXT_FORMATS.test(format);
  return isEvaluating && !values.every(isPlainNumber) ? '`printf` evaluates numbers in zsh' : null;
}

/**
 * `-v` and `-R` evaluate subscripts, and zsh evaluates the operand of `-t`. An unknown argument could be one of them.
 */
function ofTest(program: string, args: readonly Argument[], dialect: Dialect): string | null {
  const texts = textsOf(args);
  const own = args.filter((word, at) => !(at === args.length - 1 && program === '[' && word === ']'));
  const [first, second] = own[0] === '!' ? own.slice(1) : own;
  const length = own.length - (own[0] === '!' ? 1 : 0);
  const hasUnknown = own.some(isUnknown);
  if (dialect === 'zsh' && own.some((_, at) => own[at - 1] === '-t' && !isPlainNumber(own[at]))) {
    return `\`${program} -t\` evaluates numbers in zsh`;
  }
  if (
    texts.some((text) => ['-v', '-R', '-t'].includes(text)) &&
    (hasUnknown || texts.slice(0, -1).some((text) => text.includes('[')))
  ) {
    return SUBSCRIPT(program);
  }
  if (own.includes(MANY)) return `\`${program}\` with arguments that only the shell knows`;
  const isPlain =
    length <= 1 || (length === 2 && typeof first === 'string') || (length === 3 && typeof second === 'string');
  return hasUnknown && !isPlain ? `\`${program}\` with arguments that only the shell knows` : null;
}

/** Some options make the shell treat arguments after a command as assignments, change word splitting, or set arrays. */
function ofSet(program: string, args: readonly Argument[]): string | null {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (isUnknown(word)) return '`set` with options that only the shell knows';
    if (typeof word !== 'string' || word === '--' || word === '-' || !/^[-+]/.test(word)) return null;
    if (!/^(?:-[euxvfmC]*o?|\+[euxvfmCa]*o?)$/.test(word)) return `\`${program} ${word}\` is not looked into`;
    if (word.endsWith('o') && args[++at] !== undefined && !SAFE_OPTIONS.includes(String(args[at]))) {
      return `\`${program} ${word}\` with an option that is not looked into`;
    }
  }
  return null;
}

function ofJobs(program: string, args: readonly Argument[]): string | null {
  const isPlain = (word: Argument) =>
    word === NUMBER || (typeof word === 'string' && /^(?:-[lnprs]+|%?[0-9]+|%[-+%])$/.test(word));
  return args.every(isPlain) ? null : `\`${program}\` can run what it is given`;
}

function ofHash(program: string, args: readonly Argument[]): string | null {
  return args.length > 0 ? `\`${program}\` changes what a name means` : null;
}

function ofNumber(program: string, args: readonly Argument[], dialect: Dialect): string | null {
  return dialect !== 'zsh' || args.every(isPlainNumber) ? null : `\`${program}\` evaluates numbers in zsh`;
}
