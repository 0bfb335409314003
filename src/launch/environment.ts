/**
 * Builds the environment of a program in a terminal: the server's environment, without variables that are meant for the
 * server or its own terminal, plus variables that describe the new terminal. Pure.
 */
import { TERMINAL_MARK } from '../processes/process-table.js';
import { searchPath } from '../search-path.js';

/**
 * Marks names that are reserved for shell integration: those of variables, and of functions that bash imports from
 * variables.
 */
export const RESERVED_NAME = '__tenacitty';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentRequest {
  /** The environment of the server, or of the process that requests the terminal. */
  readonly inherited: Environment;
  /** Names of variables that are withheld from programs because they are the server's settings. */
  readonly withheld: readonly string[];
  /** Variables that identify where the terminal is held. Default: none. */
  readonly place?: Readonly<Record<string, string>> | undefined;
  /** Variables that the caller requested. They override all others except the terminal id. */
  readonly requested: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly terminalId: string;
}

/** Variables that would be wrong for a program in the terminal, or would disclose something to it, and why. */
const NOT_INHERITED = new RegExp(
  `^(?:${[
    // From the terminal, multiplexer or editor that the server was started in.
    'TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|TERMCAP|COLUMNS|LINES',
    'TERM_PROGRAM_VERSION|TERM_SESSION_ID|VTE_VERSION|KONSOLE_VERSION|KITTY_WINDOW_ID|WT_SESSION',
    // From the service manager: sockets, watchdogs and secrets meant for the server.
    'NOTIFY_SOCKET|LISTEN_.*|INVOCATION_ID|JOURNAL_STREAM|CREDENTIALS_DIRECTORY|WATCHDOG_.*|MAINPID',
    // Node's channel to a parent process: a child that found it would write to it.
    'NODE_CHANNEL_FD|NODE_CHANNEL_SERIALIZATION_MODE|NODE_UNIQUE_ID',
    // From the npm that started the server. npm in another project would use them as its own.
    'npm_.*|INIT_CWD',
    'TENACITTY_.*',
    // Reserved by shell integration.
    `.*${RESERVED_NAME}.*`,
  ].join('|')})$`,
);

const LOCALE_NAMES = ['LC_ALL', 'LC_CTYPE', 'LANG'];
const UTF8_LOCALE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';

/** Builds the complete environment of a program in a terminal. */
export function buildEnvironment(request: EnvironmentRequest): Record<string, string> {
  const { inherited, withheld, place, requested: requested, cwd, terminalId } = request;
  const env: Record<string, string> = {
    ...inheritable(inherited, withheld),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'tenacitty',
    PWD: cwd,
    ...place,
    ...requested,
    [TERMINAL_MARK]: terminalId,
  };
  // If no locale is set, programs would print `?` for every non-ASCII character.
  if (!LOCALE_NAMES.some((name) => env[name])) env.LANG = UTF8_LOCALE;
  return env;
}

function inheritable(inherited: Environment, withheld: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined || withheld.includes(name) || NOT_INHERITED.test(name)) continue;
    kept[name] = value;
  }
  const path = searchPath(inherited);
  if (kept.PATH !== undefined && path !== undefined) kept.PATH = path;
  return kept;
}
