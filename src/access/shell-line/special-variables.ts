/** Variables of which a shell evaluates what they are set to: commands in the subscripts of that are run. Pure. */
import type { Dialect } from './dialect.js';

const EVERYWHERE = ['RANDOM', 'SRANDOM', 'SECONDS', 'HISTCMD', 'OPTIND', 'LINENO', 'EPOCHSECONDS', 'BASHPID'];
const OF_ZSH = [
  ...['COLUMNS', 'LINES', 'HISTSIZE', 'SAVEHIST', 'SHLVL', 'KEYTIMEOUT', 'MAILCHECK', 'UID', 'EUID', 'GID', 'EGID'],
  ...['ERRNO', 'FUNCNEST', 'LISTMAX', 'TRY_BLOCK_ERROR', 'TRY_BLOCK_INTERRUPT', 'TMOUT', 'LOGCHECK', 'DIRSTACKSIZE'],
  ...['BAUD', 'IGNOREEOF', 'PPID', 'REPORTTIME', 'REPORTMEMORY', 'status', 'TTYIDLE', 'HISTNO', 'CURSOR', 'MARK'],
];
/** Whole tables of what a shell does. */
const TABLES_OF_ZSH = ['options', 'builtins', 'dis_builtins', 'dis_functions', 'dis_aliases', 'nameddirs'];

/**
 * Why setting a variable could run something, in words; null where it cannot.
 *
 * @param value - Null where only the shell will know it.
 */
export function doubtOfSetting(name: string, value: string | null, dialect: Dialect): string | null {
  if (dialect === 'zsh' && TABLES_OF_ZSH.includes(name)) return `\`${name}\` changes what the shell does`;
  const isEvaluated = EVERYWHERE.includes(name) || (dialect === 'zsh' && OF_ZSH.includes(name));
  const isPlain = value !== null && /^[0-9]*$/.test(value);
  return isEvaluated && !isPlain ? `the shell evaluates what \`${name}\` is set to` : null;
}
