/**
 * The environment of a program in a terminal: the server's own, less what is the server's business, plus what
 * a terminal says of itself. Pure: it reads nothing.
 */
import { TERMINAL_MARK } from '../processes/process-table.js';
import { searchPath } from '../search-path.js';

/** Names that the integration of a shell has for itself: as a variable, or a function that bash takes from one. */
export const RESERVED_NAME = '__tenacitty';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentRequest {
  /** The server's own environment. */
  readonly inherited: Environment;
  /** Names of the server's settings, which no program is given. */
  readonly withheld: readonly string[];
  /** What tells where the terminal is held. Default: nothing. */
  readonly place?: Readonly<Record<string, string>> | undefined;
  /** What the caller asked for; it wins over all but the mark. */
  readonly asked: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly terminalId: string;
}

/** What would be wrong, or give something away, if a program in the terminal saw it. */
const NOT_INHERITED = new RegExp(
  `^(?:${[
    // Of the terminal, multiplexer or editor that the server itself was started in.
    'TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|TERMCAP|COLUMNS|LINES',
    'TERM_PROGRAM_VERSION|TERM_SESSION_ID|VTE_VERSION|KONSOLE_VERSION|KITTY_WINDOW_ID|WT_SESSION',
    // Of the service manager: sockets, watchdogs and secrets meant for the server.
    'NOTIFY_SOCKET|LISTEN_.*|INVOCATION_ID|JOURNAL_STREAM|CREDENTIALS_DIRECTORY|WATCHDOG_.*|MAINPID',
    // Of Node's channel to a parent process: a child that found it would write into it.
    'NODE_CHANNEL_FD|NODE_CHANNEL_SERIALIZATION_MODE|NODE_UNIQUE_ID',
    // Of the npm that started the server; another project's npm would take them for its own.
    'npm_.*|INIT_CWD',
    'TENACITTY_.*',
    // What a shell that is followed keeps for itself.
    `.*${RESERVED_NAME}.*`,
  ].join('|')})$`,
);

const LOCALE_NAMES = ['LC_ALL', 'LC_CTYPE', 'LANG'];
const UTF8_LOCALE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';

/** Builds the whole environment of a program in a terminal. */
export function buildEnvironment(request: EnvironmentRequest): Record<string, string> {
  const { inherited, withheld, place, asked, cwd, terminalId } = request;
  const env: Record<string, string> = {
    ...inheritable(inherited, withheld),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'tenacitty',
    PWD: cwd,
    ...place,
    ...asked,
    [TERMINAL_MARK]: terminalId,
  };
  // Without a locale programs would print `?` for all that is not ASCII.
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
