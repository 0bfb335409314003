/** Variables whose assigned values the shell evaluates, running commands in their subscripts. Pure. */
import type { Dialect } from './dialect.js';

const EVERYWHERE = ['RANDOM', 'SRANDOM', 'SECONDS', 'HISTCMD', 'OPTIND', 'LINENO', 'EPOCHSECONDS', 'BASHPID'];
const OF_ZSH = [
  ...['COLUMNS', 'LINES', 'HISTSIZE', 'SAVEHIST', 'SHLVL', 'KEYTIMEOUT', 'MAILCHECK', 'UID', 'EUID', 'GID', 'EGID'],
  ...['ERRNO', 'FUNCNEST', 'LISTMAX', 'TRY_BLOCK_ERROR', 'TRY_BLOCK_INTERRUPT', 'TMOUT', 'LOGCHECK', 'DIRSTACKSIZE'],
  ...['BAUD', 'IGNOREEOF', 'PPID', 'REPORTTIME', 'REPORTMEMORY', 'status', 'TTYIDLE', 'HISTNO', 'CURSOR', 'MARK'],
];
/** Tables that control the shell's behaviour. */
const TABLES_OF_ZSH = ['options', 'builtins', 'dis_builtins', 'dis_functions', 'dis_aliases', 'nameddirs'];

/**
 * Returns why setting a variable could run something, in words; null if it cannot.
 *
 * @param value - Null if only the shell knows it.
 */
export function doubtOfSetting(name: string, value: string | null, dialect: Dialect): string | null {
  if (dialect === 'zsh' && TABLES_OF_ZSH.includes(name)) return `\`${name}\` changes what the shell does`;
  const isEvaluated = EVERYWHERE.includes(name) || (dialect === 'zsh' && OF_ZSH.includes(name));
  const isPlain = value !== null && /^[0-9]*$/.test(value);
  return isEvaluated && !isPlain ? `the shell evaluates what \`${name}\` is set to` : null;
}
