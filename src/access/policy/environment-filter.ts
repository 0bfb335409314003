/**
 * Which variables a program may be given by who asks for it, and a line may set. Where programs are under an allow list, so
 * are variables: what a program does can be up to any of them. Pure; it knows nothing of what the server passes on itself.
 */
import { matchesGlob } from './glob.js';
import { decisionsOf } from './policy-description.js';
import type { PolicyTerms } from './policy-description.js';
import type { Assigned } from '../shell-line/found.js';

/** By these programs, and the shell itself, are made to run others, or names to mean others. */
export const RUNNING_VARIABLES: readonly string[] = [
  ...['PATH', 'path', 'HOME', 'PWD', 'CDPATH', 'cdpath', 'FPATH', 'fpath', 'ZDOTDIR', 'XDG_CONFIG_HOME'],
  ...['__tenacitty*', 'debian_chroot', 'prompt', 'histchars'],
  ...['LD_*', 'DYLD_*', 'GCONV_PATH', 'GLIBC_TUNABLES', 'LOCPATH', 'PATH_LOCALE', 'MUSL_LOCPATH', 'NLSPATH'],
  // What a shell makes of `$"…"` it looks through for commands.
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

/** What may be given where programs are under an allow list and the policy names no variables: no program runs anything by these. */
export const PLAIN_VARIABLES: readonly string[] = [
  ...['CI', 'CLICOLOR', 'CLICOLOR_FORCE', 'COLORTERM', 'FORCE_COLOR', 'NO_COLOR', 'NODE_ENV', 'PORT', 'TERM'],
  ...['LANG', 'LC_ALL', 'LC_CTYPE'],
];
/** Whoever calls for a program has no use for a pager: the tool of MCP and agents set them to `cat`. */
const PAGERS = ['PAGER', 'GIT_PAGER'];
/** A variable of a line for itself: by custom programs are told nothing by small letters, but for those after them. */
const OF_THE_LINE = /^(?:[a-z][a-z0-9_]*|IFS|OPTIND|REPLY)$/;
const OF_PROGRAMS = /^(?:npm|fish)_|_proxy$/;

/** These say by which charset a shell reads a line. */
const CHARSET_VARIABLES = ['LANG', 'LC_ALL', 'LC_CTYPE'];
/** In others a byte can take the next one with it, so that a quote or a backslash is none. */
const PLAIN_LOCALE = /^(?:C|POSIX|(?:[\w-]+\.)?UTF-?8(?:@\w+)?)?$/i;

/** The name of a variable that is refused, with what it may be. */
export function inWords(name: string): string {
  return CHARSET_VARIABLES.includes(name) ? `${name} to something else than C, POSIX or a locale of UTF-8` : name;
}

export class EnvironmentFilter {
  readonly #denied: readonly string[];
  readonly #allowed: readonly string[] | undefined;
  /** Whether lines, too, may set only what is allowed. */
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

  /** What remains of an environment, and the first name for which it is refused, or null. */
  filter(env: Readonly<Record<string, string>>): { env: Readonly<Record<string, string>>; refused: string | null } {
    const entries = Object.entries(env);
    const kept = entries.filter(([name, value]) => this.#mayBeGiven(name, value));
    const other = entries.find(([name, value]) => !this.#mayBeGiven(name, value));
    const refused = this.#drops || other === undefined ? null : other[0];
    return { env: Object.fromEntries(kept), refused };
  }

  /** The first variable that a line may not set, or null. */
  refusedOf(assigned: readonly Assigned[]): string | null {
    return assigned.find((one) => !this.#mayBeSet(one))?.name ?? null;
  }

  #mayBeSet({ name, value, isPassedOn }: Assigned): boolean {
    const isOwn = !this.#isStrict || (!isPassedOn && OF_THE_LINE.test(name) && !OF_PROGRAMS.test(name));
    return isOwn ? !this.#isDenied(name, value) : this.#mayBeGiven(name, value);
  }

  #mayBeGiven(name: string, value: string | null): boolean {
    if (PAGERS.includes(name) && value === 'cat') return true;
    const isAllowed = this.#allowed === undefined || this.#allowed.some((pattern) => matchesGlob(pattern, name));
    return isAllowed && !this.#isDenied(name, value);
  }

  /** @param value - Null where it is not known. */
  #isDenied(name: string, value: string | null): boolean {
    if (CHARSET_VARIABLES.includes(name) && (value === null || !PLAIN_LOCALE.test(value))) return true;
    return this.#denied.some((pattern) => matchesGlob(pattern, name));
  }
}
