/**
 * Builds what subscribers of a terminal see of a command that was not typed by hand: what they would have seen if it
 * had been typed, and the marks that other terminal programs understand. Pure.
 */

/** Longer commands are shown shortened, because subscribers are interested in their output. */
const MAX_SHOWN_CHARS = 4000;

/** Mode switches, which must not be left out because they change how the terminal handles later output. */

const MODE_SWITCHES = /\x1b\[[?<>=][0-9;]*[a-zA-Z]|\x1b[=>]/g;

/** Returns the mode switches in the echo of an injected line. */
export function modesIn(echo: string): string {
  return (echo.match(MODE_SWITCHES) ?? []).join('');
}

/** Formats a command as if it had been typed at the prompt, Enter included. */
export function displayedCommand(text: string): string {
  const isLong = text.length > MAX_SHOWN_CHARS;
  const shown = isLong ? `${text.slice(0, MAX_SHOWN_CHARS / 2)}\n… (${text.length} characters)` : text;
  return `${printable(shown).replaceAll('\n', '\r\n')}\r\n`;
}

/** Formats control characters as a terminal echoes them, so that displaying a command cannot draw on the screen. */
function printable(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, (char) => `^${String.fromCharCode(char.charCodeAt(0) ^ 0x40)}`);
}

/** FinalTerm marks (OSC 133), by meaning. */
export const VIEWER_MARKS = {
  promptStart: '\x1b]133;A\x07',
  promptEnd: '\x1b]133;B\x07',
  began: '\x1b]133;C\x07',
} as const;

export function endedMark(exitCode: number | null): string {
  return exitCode === null ? '\x1b]133;D\x07' : `\x1b]133;D;${exitCode}\x07`;
}

/** Returns the mark that reports the directory as a URL. */
export function directoryMark(directory: string, host: string): string {
  const path = directory.split('/').map(encodeURIComponent).join('/');
  return `\x1b]7;file://${host}${path}\x07`;
}

/**
 * What zsh prints before a prompt so that it begins on its own line: a mark, blanks to the end of the line, and a
 * carriage return.
 */
const ZSH_LINE_END = /\x1b\[1m\x1b\[7m[^\x1b]\x1b\[27m\x1b\[1m\x1b\[0m +\r \r/g;

/** How the zsh line editor then begins to draw the prompt. */
const ZSH_EDITOR_START = /(?:\r|\x1b\[[0-9;]*[mJ])*/;

/** Returns the length of these sequences at the end of `last`; 0 if `last` does not end with them. */
export function zshLineEndBytes(last: string): number {
  return new RegExp(`${ZSH_LINE_END.source}${ZSH_EDITOR_START.source}$`).exec(last)?.[0].length ?? 0;
}

/**
 * Signs that a prompt begins, most reliable first: what zsh prints, the marks of a shell, and a line editor's switch to
 * bracketed paste.
 */
const PROMPT_SIGNS = [ZSH_LINE_END, VIEWER_MARKS.promptStart, '\x1b[?2004h'];
/** Signs that a line has been read since. */
const READ_SIGNS = ['\x1b[?2004l', VIEWER_MARKS.began];

/**
 * Returns the length of the prompt at the end of `last`, including what was typed after it. 0 if no sign shows where
 * the prompt begins.
 */
export function promptBytes(last: string): number {
  const readAt = Math.max(...READ_SIGNS.map((sign) => last.lastIndexOf(sign)));
  const from = PROMPT_SIGNS.map((sign) => lastOf(last, sign)).find((at) => at > readAt);
  return from === undefined ? 0 : last.length - from;
}

function lastOf(text: string, sign: string | RegExp): number {
  return typeof sign === 'string' ? text.lastIndexOf(sign) : ([...text.matchAll(sign)].at(-1)?.index ?? -1);
}
