/** Determines what `find` starts. If the meaning of an argument is uncertain, so is that of all later ones. Pure. */
import { ONE } from './found.js';
import type { Argument, CommandWords } from './found.js';

const STARTING = ['-exec', '-execdir', '-ok', '-okdir'];
/** Each of these is followed by one value, whatever it looks like. */
const VALUED: readonly Argument[] = [
  ...['-name', '-iname', '-path', '-ipath', '-wholename', '-iwholename', '-regex', '-iregex', '-lname', '-ilname'],
  ...['-type', '-xtype', '-size', '-mtime', '-atime', '-ctime', '-mmin', '-amin', '-cmin', '-newer', '-anewer'],
  ...['-cnewer', '-samefile', '-user', '-group', '-uid', '-gid', '-perm', '-maxdepth', '-mindepth', '-printf'],
  ...['-inum', '-links', '-used', '-fstype', '-regextype', '-context'],
];

const ALONE = [
  ...['-print', '-print0', '-o', '-or', '-a', '-and', '-not', '-delete', '-prune', '-ls', '-depth', '-xdev', '-mount'],
  ...['-follow', '-L', '-H', '-P', '-empty', '-daystart', '-true', '-false', '-quit', '-executable', '-readable'],
];

export interface FindStart {
  readonly words: CommandWords;
  /** Whether it is started in the directory of the file found. */
  readonly isElsewhere: boolean;
}

/**
 * Returns the commands that are started, with arguments containing `{}` as unknown, and a description of anything
 * doubtful.
 */
export function startedByFind(args: readonly Argument[]): { starts: readonly FindStart[]; doubt: string | null } {
  const starts = args.flatMap((word, at) => {
    if (typeof word !== 'string' || !STARTING.includes(word)) return [];
    const words = upToEnd(args.slice(at + 1)).map(filled);
    return words.length === 0 ? [] : [{ words, isElsewhere: word.endsWith('dir') }];
  });
  return { starts, doubt: hasUnknown(args) ? 'arguments that only the shell knows' : null };
}

/** `+` ends the command only directly after `{}`; elsewhere it is an ordinary argument. */
function upToEnd(args: readonly Argument[]): CommandWords {
  const end = args.findIndex((word, at) => word === ';' || (word === '+' && args[at - 1] === '{}'));
  return args.slice(0, end < 0 ? undefined : end);
}

function filled(word: Argument): Argument {
  return typeof word === 'string' && word.includes('{}') ? ONE : word;
}

/** An unknown value is harmless if it is exactly one argument and follows an option that certainly takes a value. */
function hasUnknown(args: readonly Argument[]): boolean {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (typeof word !== 'string') return true;
    const hasValue = VALUED.includes(word);
    const isKnown = !word.startsWith('-') || hasValue || ALONE.includes(word);
    if (!isKnown) return args.slice(at).some((one) => typeof one !== 'string');
    if (hasValue && (typeof args[at + 1] === 'string' || args[at + 1] === ONE)) at++;
  }
  return false;
}
