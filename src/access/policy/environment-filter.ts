/**
 * Decides which variables a caller may pass to a program and which variables a line may set. If a policy does not allow
 * unlisted programs, it does not allow unlisted variables either, because any variable can affect what a program does.
 * Pure; ignores the variables that the server itself passes on.
 */
import { matchesGlob } from './glob.js';
import { decisionsOf } from './policy-description.js';
import type { PolicyTerms } from './policy-description.js';
import type { Assignment } from '../shell-line/line-analysis.js';

/** Variables that make programs, or the shell itself, run other programs or interpret names differently. */
export const RUNNING_VARIABLES: readonly string[] = [
  ...['PATH', 'path', 'HOME', 'PWD', 'CDPATH', 'cdpath', 'FPATH', 'fpath', 'ZDOTDIR', 'XDG_CONFIG_HOME'],
  ...['__tenacitty*', 'debian_chroot', 'prompt', 'histchars'],
  ...['LD_*', 'DYLD_*', 'GCONV_PATH', 'GLIBC_TUNABLES', 'LOCPATH', 'PATH_LOCALE', 'MUSL_LOCPATH', 'NLSPATH'],
  // Shells run commands that the translation of `$"…"` contains.
  ...['TEXTDOMAIN', 'TEXTDOMAINDIR', 'OUTPUT_CHARSET'],
  ...['BASH_ENV', 'ENV', 'BASH_FUNC_*', 'BASH_ALIASES', 'BASH_CMDS', 'SHELLOPTS', 'BASHOPTS', 'PROMPT*', 'RPROMPT*'],
  ...['MAILPATH', 'mailpath', 'NULLCMD', 'READNULLCMD', 'STTY', 'SPROMPT', 'INPUTRC', 'FCEDIT', 'BASH_LOADABLES_PATH'],
  ...['BASH_COMPAT', 'POSIXLY_CORRECT', 'MODULE_PATH', 'module_path', 'TAR_OPTIONS', 'RSYNC_RSH'],
  ...[
    'PS0',
    'PS1',
    'PS2',
    'PS3',
    'PS4',
    'RPS1',
    'RPS2',
    '*_functions',
    'aliases',
    'galiases',
    'saliases',
    'commands',
    'functions',
  ],
  ...[
    'NODE_OPTIONS',
    'NODE_PATH',
    'PYTHONSTARTUP',
    'PYTHONPATH',
    'PYTHONHOME',
    'PERL5OPT',
    'PERL5LIB',
    'PERL5DB',
    'PERLLIB',
  ],
  ...['OPENSSL_CONF', 'OPENSSL_ENGINES', 'OPENSSL_MODULES', 'PYTHONUSERBASE', 'LUA_INIT*'],
  ...['RUBYOPT', 'RUBYLIB', 'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'JDK_JAVA_OPTIONS'],
  ...[
    'GIT_SSH',
    'GIT_SSH_COMMAND',
    'GIT_EXTERNAL_DIFF',
    'GIT_PROXY_COMMAND',
    'GIT_ASKPASS',
    'GIT_EXEC_PATH',
    'GIT_CONFIG*',
  ],
  ...[
    'GIT_EDITOR',
    'GIT_SEQUENCE_EDITOR',
    'GIT_TEMPLATE_DIR',
    'GIT_PAGER',
    'GIT_DIR',
    'GIT_COMMON_DIR',
    'GIT_TEST_*',
    'SSH_ASKPASS',
    'SUDO_ASKPASS',
    'LESSOPEN',
    'LESSCLOSE',
    'MANPAGER',
  ],
];

/**
 * Variables that are allowed if the policy does not allow unlisted programs and names no variables. None of them makes
 * a program run anything.
 */
export const PLAIN_VARIABLES: readonly string[] = [
  ...['CI', 'CLICOLOR', 'CLICOLOR_FORCE', 'COLORTERM', 'FORCE_COLOR', 'NO_COLOR', 'NODE_ENV', 'PORT', 'TERM'],
  ...['LANG', 'LC_ALL', 'LC_CTYPE'],
];
/** Allowed with the value `cat`, which the MCP tool and agents set because they cannot use a pager. */
const PAGERS = ['PAGER', 'GIT_PAGER'];
/**
 * Variables that are private to a line: by convention, programs do not use lower-case names, except those that
 * `OF_PROGRAMS` matches.
 */
const OF_THE_LINE = /^(?:[a-z][a-z0-9_]*|IFS|OPTIND|REPLY)$/;
const OF_PROGRAMS = /^(?:npm|fish)_|_proxy$/;

/** Variables that determine which charset a shell reads a line in. */
const CHARSET_VARIABLES = ['LANG', 'LC_ALL', 'LC_CTYPE'];
/**
 * Locales without risk: in other charsets, a byte can combine with the next one, so that a quote or backslash is not
 * recognised.
 */
const PLAIN_LOCALE = /^(?:C|POSIX|(?:[\w-]+\.)?UTF-?8(?:@\w+)?)?$/i;

/** Describes a refused variable: its name, and which values are refused if not all are. */
export function describeVariable(name: string): string {
  return CHARSET_VARIABLES.includes(name) ? `${name} to a value other than C, POSIX or a UTF-8 locale` : name;
}

export class EnvironmentFilter {
  readonly #denied: readonly string[];
  readonly #allowed: readonly string[] | undefined;
  /** Whether lines, too, can set only allowed variables. */
  readonly #isStrict: boolean;
  readonly #drops: boolean;

  constructor(terms: PolicyTerms) {
    const { deny = [], allow, others } = terms.environment;
    const isNamed = (name: string): boolean => allow?.includes(name) === true;
    this.#denied = [...RUNNING_VARIABLES.filter((name) => !isNamed(name)), ...deny];
    this.#isStrict = decisionsOf(terms).otherwise !== 'allow';
    this.#allowed = allow ?? (this.#isStrict ? PLAIN_VARIABLES : undefined);
    this.#drops = others === 'drop';
  }

  /**
   * Returns the allowed part of an environment, and the first variable that causes the request to be refused, or null.
   */
  filter(env: Readonly<Record<string, string>>): { env: Readonly<Record<string, string>>; refused: string | null } {
    const entries = Object.entries(env);
    const kept = entries.filter(([name, value]) => this.#mayBeGiven(name, value));
    const other = entries.find(([name, value]) => !this.#mayBeGiven(name, value));
    const refused = this.#drops || other === undefined ? null : other[0];
    return { env: Object.fromEntries(kept), refused };
  }

  /** Returns the first variable that a line sets but is not allowed to set; null if there is none. */
  refusedOf(assigned: readonly Assignment[]): string | null {
    return assigned.find((one) => !this.#mayBeSet(one))?.name ?? null;
  }

  #mayBeSet({ name, value, isPassedOn }: Assignment): boolean {
    const isOwn = !this.#isStrict || (!isPassedOn && OF_THE_LINE.test(name) && !OF_PROGRAMS.test(name));
    return isOwn ? !this.#isDenied(name, value) : this.#mayBeGiven(name, value);
  }

  #mayBeGiven(name: string, value: string | null): boolean {
    if (PAGERS.includes(name) && value === 'cat') return true;
    const isAllowed = this.#allowed === undefined || this.#allowed.some((pattern) => matchesGlob(pattern, name));
    return isAllowed && !this.#isDenied(name, value);
  }

  /** Returns whether a variable is denied. @param value - Null if unknown. */
  #isDenied(name: string, value: string | null): boolean {
    if (CHARSET_VARIABLES.includes(name) && (value === null || !PLAIN_LOCALE.test(value))) return true;
    return this.#denied.some((pattern) => matchesGlob(pattern, name));
  }
}
