/**
 * The marks that an integrated shell puts into its output for us alone: what they say, and how they are written. It
 * knows neither shells nor streams.
 *
 * A mark is `OSC 7717 ; nonce ; verb ; fields … BEL`. The nonce is known to this terminal's shell only, so that what a
 * program prints, or a file that is shown, cannot pass for one.
 */

/** How each begins; the nonce follows. */
export const MARK_PREFIX = '\x1b]7717;';
/**
 * Longer ones are none of ours: a shell writes up to so much in one call to the kernel, so that nothing can come
 * between.
 */
export const MAX_MARK_BYTES = 1024;

/** Each carries the instance of the shell that says so: its process id, where it runs. */
export type Mark =
  /** The integration was loaded, by a program of this name and version. */
  | { readonly verb: 'loaded'; readonly instance: number; readonly program: string; readonly version: string }
  /** The prompt begins; it ends, and the shell takes a line. `history` is the number that this line will get. */
  | { readonly verb: 'promptStart'; readonly instance: number }
  | { readonly verb: 'promptEnd'; readonly instance: number; readonly history: number | null }
  /** The shell wants another line of what was begun. */
  | { readonly verb: 'continuation'; readonly instance: number }
  /** The line that was being edited is put by; with all that was put by before, it may be empty. */
  | { readonly verb: 'parked'; readonly instance: number; readonly isEmpty: boolean }
  /** The key that asks whether it is there was heard. */
  | { readonly verb: 'answers'; readonly instance: number }
  /** A command begins: ours by its number, 0 for what was typed. */
  | { readonly verb: 'began'; readonly instance: number; readonly command: number }
  /** The next line of a text that is typed is asked for: of a command, or of the integration (0). */
  | { readonly verb: 'asks'; readonly instance: number; readonly command: number; readonly program: string }
  /** A command has ended, says the line that ran it; without a status if it cannot tell that it was evaluated. */
  | ({ readonly verb: 'ended'; readonly command: number; readonly status: number | null } & Ending)
  /** The shell has come back to its prompt for the `turn`th time. */
  | ({ readonly verb: 'returned'; readonly turn: number; readonly status: number } & Noted & Ending);

/** The newest command of ours whose line came to its end, and the status that it had there; null if that is not sure. */
interface Noted {
  readonly notedCommand?: number;
  readonly notedStatus?: number | null;
}

interface Ending {
  readonly instance: number;
  /** Null where the shell does not say. */
  readonly directory: string | null;
}

const INSTANCE_ONLY = { A: 'promptStart', F: 'continuation', P: 'answers' } as const;

/** Reads what stands between prefix and BEL; null if it is none of ours, or makes no sense. */
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

/** The status at the prompt, and behind a colon what the line of a command has noted: `127:5:0`. */
function statusFields(text: string): { readonly status: number } & Noted {
  const [status = '', command = '', noted = ''] = text.split(':');
  if (command === '') return { status: whole(status) };
  return { status: whole(status), notedCommand: whole(command), notedStatus: noted === '' ? null : whole(noted) };
}

function isInstanceOnly(verb: string): verb is keyof typeof INSTANCE_ONLY {
  return Object.hasOwn(INSTANCE_ONLY, verb);
}

/** NaN for what is no whole number. */
function whole(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : NaN;
}
