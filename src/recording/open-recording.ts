/** Opens a recording of a terminal, running or ended, from what its manager holds. */
import { check } from '../check.js';
import { MAX_COMMANDS_PAGE } from '../contract/command.js';
import type { TerminalManager } from '../contract/manager.js';
import { readRecording, type ReadRecording, type RecordingRequest } from '../contract/recording.js';
import type { TerminalDetail } from '../contract/terminal.js';
import { printable } from '../printable.js';
import { recordedEvents, statusOf } from './events.js';
import { limitPauses } from './pauses.js';
import type { RecordedEvent, Recording } from './recording.js';
import { spanOf, type RecordedSpan } from './span.js';
import { startScreen, type StartScreen } from './start-screen.js';

const ESC = 0x1b;
const LF = 0x0a;
/** A sequence or line whose beginning was dropped ends within this many bytes. */
const MAX_BROKEN_BYTES = 4096;
const NEW_SCREEN: StartScreen = { snapshot: '', unfinished: new Uint8Array() };

/**
 * Opens a recording: what a terminal, or one of its commands, printed and when, also after its program has ended. The
 * events are read from the manager as they are consumed, and can be consumed once.
 *
 * @param request - Which part: `command`, or offsets or times. `idleLimitMs` shortens longer pauses.
 * @throws `TERMINAL_NOT_FOUND`, `COMMAND_NOT_FOUND`, `INVALID_INPUT` if a limit is beyond the output.
 */
export function recordingOf(manager: TerminalManager, id: string, request: ReadRecording = {}): Promise<Recording> {
  return openRecording(manager, id, check('', readRecording, request));
}

/**
 * @param request - Which part. For lines, the recording begins on an empty screen.
 * @throws The errors of `spanOf`; `TERMINAL_NOT_FOUND`.
 */
export async function openRecording(
  manager: TerminalManager,
  idOrName: string,
  request: RecordingRequest,
): Promise<Recording> {
  const detail = await manager.get(idOrName);
  const { id } = detail;
  const span = await spanOf(manager, id, request, detail.totalBytes);
  const page = await manager.track(id, { fromOffset: span.from, toOffset: span.to });
  const { cols, rows } = page.sizes[0]!;
  const dropped = Math.min(page.heldFrom, span.to) - span.from;
  const isNew = span.from === 0 || dropped > 0 || request.format === 'text' || request.format === 'ansi';
  const start = isNew ? NEW_SCREEN : await startScreen(manager, id, { offset: span.from, cols, rows });
  const started = page.points[0]![1];
  const commands = (await manager.commands(id, { limit: MAX_COMMANDS_PAGE })).filter(
    ({ fromOffset, commandId }) =>
      fromOffset >= span.from && fromOffset <= span.to && (span.command?.commandId ?? commandId) === commandId,
  );
  const all = eventsOf(recordedEvents({ manager, id, page, to: span.to, commands }), {
    ...{ started, unfinished: start.unfinished, isCut: dropped > 0 },
    end: endOf(detail, span),
  });
  return {
    head: {
      ...{ terminalId: id, title: titleOf(detail), command: printable(span.command?.text ?? detail.shell) },
      ...{ cols, rows, started, timing: page.timing, dropped, snapshot: start.snapshot },
      ...{ fromOffset: span.from, toOffset: span.to },
    },
    events: withoutPauses(all, limitPauses(started, request.idleLimitMs ?? Infinity)),
  };
}

async function* withoutPauses(
  events: AsyncIterable<RecordedEvent>,
  limited: (time: number) => number,
): AsyncGenerator<RecordedEvent> {
  for await (const event of events) yield { ...event, time: limited(event.time) };
}

function titleOf({ name, title, id }: TerminalDetail): string {
  return name ?? (printable(title) || `terminal ${id.slice(0, 8)}`);
}

/** Returns the end of the command, or of the program if the recording reaches it. */
function endOf({ ended, exitCode, signal }: TerminalDetail, span: RecordedSpan): RecordedEvent | null {
  const end = span.command ?? (span.isToEnd ? { ended, exitCode, signal } : null);
  const status = end === null ? null : statusOf(end.exitCode, end.signal);
  return status === null || end!.ended === null ? null : { type: 'exit', time: Date.parse(end!.ended), status };
}

interface Surroundings {
  readonly started: number;
  readonly unfinished: Uint8Array;
  /** Whether the output before is missing. */
  readonly isCut: boolean;
  readonly end: RecordedEvent | null;
}

async function* eventsOf(
  events: AsyncIterable<RecordedEvent>,
  { started, unfinished, isCut, end }: Surroundings,
): AsyncGenerator<RecordedEvent> {
  let brokenBytes = isCut ? MAX_BROKEN_BYTES : 0;
  if (unfinished.length > 0) yield { type: 'output', time: started, bytes: unfinished };
  for await (const event of events) {
    if (event.type !== 'output' || brokenBytes === 0) {
      yield event;
      continue;
    }
    const from = endOfBroken(event.bytes.subarray(0, brokenBytes));
    const skipped = from ?? Math.min(brokenBytes, event.bytes.length);
    brokenBytes = from === null ? brokenBytes - skipped : 0;
    yield { ...event, bytes: event.bytes.subarray(skipped) };
  }
  if (end !== null) yield end;
}

/** Returns where the rest of a sequence or line whose beginning was dropped ends, or null. */
function endOfBroken(bytes: Uint8Array): number | null {
  const at = bytes.findIndex((byte) => byte === ESC || byte === LF);
  if (at === -1) return null;
  return bytes[at] === LF ? at + 1 : at;
}
