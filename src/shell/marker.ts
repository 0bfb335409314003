/**
 * Defines the marks that an integrated shell writes into its output for us: their syntax and meaning.
 *
 * A mark is `OSC 7717 ; nonce ; verb ; fields … BEL`. Only this terminal's shell knows the nonce, so neither a
 * program's output nor the contents of a displayed file can pass for a mark.
 */

/** The beginning of each mark; the nonce follows it. */
export const MARK_PREFIX = '\x1b]7717;';
/**
 * A longer sequence is not ours: a shell writes up to this many bytes in one system call, so that no other output can
 * come in between.
 */
export const MAX_MARK_BYTES = 1024;

/** Each mark carries the instance of the shell that sent it: the shell's process id on the machine that it runs on. */
export type Mark =
  /** The integration was loaded by a program with this name and version. */
  | { readonly verb: 'loaded'; readonly instance: number; readonly program: string; readonly version: string }
  /** The prompt begins; the prompt ends and the shell reads a line. `history` is the number that this line will get. */
  | { readonly verb: 'promptStart'; readonly instance: number }
  | { readonly verb: 'promptEnd'; readonly instance: number; readonly history: number | null }
  /** A prompt on the right begins and ends; it may be drawn at any time. */
  | { readonly verb: 'rightStart'; readonly instance: number }
  | { readonly verb: 'rightEnd'; readonly instance: number }
  /** The shell asks for another line of an unfinished command. */
  | { readonly verb: 'continuation'; readonly instance: number }
  /** The line being edited is parked. `isEmpty` says whether it and everything parked before are empty. */
  | { readonly verb: 'parked'; readonly instance: number; readonly isEmpty: boolean }
  /** The reply to the key that asks whether the shell still has the integration's functions. */
  | { readonly verb: 'answers'; readonly instance: number }
  /**
   * The line editor is off, in a shell that then reads at its prompt in the same way as its `read` does (mksh, zsh).
   */
  | { readonly verb: 'editorOff'; readonly instance: number }
  /** A command begins. `command` is its number, or 0 if it was typed. */
  | { readonly verb: 'began'; readonly instance: number; readonly command: number }
  /** Asks for the next line of what is being typed: a command, or the integration (0). */
  | { readonly verb: 'asks'; readonly instance: number; readonly command: number; readonly program: string }
  /**
   * A command has ended, as reported by the line that ran it; the status is absent if the line cannot tell that it was
   * evaluated.
   */
  | ({ readonly verb: 'ended'; readonly command: number; readonly status: number | null } & Ending)
  /** The shell has returned to its prompt for the `turn`th time. */
  | ({ readonly verb: 'returned'; readonly turn: number; readonly status: number } & Noted & Ending);

/** Our newest command whose line reached its end, and its status at that point; null if the status is uncertain. */
interface Noted {
  readonly notedCommand?: number;
  readonly notedStatus?: number | null;
}

interface Ending {
  readonly instance: number;
  /** Null if the shell does not report it. */
  readonly directory: string | null;
}

const INSTANCE_ONLY = {
  A: 'promptStart',
  E: 'editorOff',
  F: 'continuation',
  G: 'rightStart',
  H: 'rightEnd',
  P: 'answers',
} as const;

/** Parses what stands between prefix and BEL; returns null if the mark is not ours or is malformed. */
export function parseMark(body: string, nonce: string): Mark | null {
  const [given, verb = '', ...fields] = body.split(';');
  if (given !== nonce) return null;
  const mark = parseFields(verb, fields);
  return mark !== null && Object.values(mark).some((value) => Number.isNaN(value)) ? null : mark;
}

function parseFields(verb: string, fields: readonly string[]): Mark | null {
  const [first = '', second = '', third = ''] = fields;
  if (isInstanceOnly(verb)) return { verb: INSTANCE_ONLY[verb], instance: whole(first) };
  if (verb === 'I') return { verb: 'loaded', instance: whole(first), program: second, version: third };
  if (verb === 'N') return { verb: 'asks', command: whole(first), instance: whole(second), program: third };
  if (verb === 'B') return { verb: 'promptEnd', instance: whole(first), history: second === '' ? null : whole(second) };
  if (verb === 'C') return { verb: 'began', command: whole(first), instance: whole(second) };
  if (verb === 'R') return { verb: 'parked', instance: whole(first), isEmpty: second === '0' };
  if (verb !== 'D') return null;
  const directory = fields.slice(3).join(';') || null;
  const ending = { instance: whole(third), directory };
  if (first.startsWith('h'))
    return { verb: 'returned', turn: whole(first.slice(1)), ...statusFields(second), ...ending };
  return { verb: 'ended', command: whole(first), status: second === '' ? null : whole(second), ...ending };
}

/** Parses the status at the prompt, followed after a colon by what the line of a command recorded: `127:5:0`. */
function statusFields(text: string): { readonly status: number } & Noted {
  const [status = '', command = '', noted = ''] = text.split(':');
  if (command === '') return { status: whole(status) };
  return { status: whole(status), notedCommand: whole(command), notedStatus: noted === '' ? null : whole(noted) };
}

function isInstanceOnly(verb: string): verb is keyof typeof INSTANCE_ONLY {
  return Object.hasOwn(INSTANCE_ONLY, verb);
}

/** Parses a whole number; returns NaN for anything else. */
function whole(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : NaN;
}
