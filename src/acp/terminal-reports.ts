/**
 * Parses what a `session/update` reports about terminals that the agent runs itself, in each format that agents use:
 * `_meta` of tool calls (v1, by convention), `terminal_update` and `terminal_output_chunk` (v2), and references that
 * place a terminal. Accepts any input and ignores what it cannot parse. Pure.
 */
import type { TerminalExit } from './display.js';

/** Reports that a terminal must be shown with a tool call. */
interface PlacementReport {
  readonly kind: 'anchored';
  readonly terminalId: string;
  readonly toolCallId: string;
}

/** Reports new state. Undefined leaves a value unchanged, and null clears it. */
export interface StateReport {
  readonly kind: 'stated';
  readonly terminalId: string;
  readonly command?: string | null;
  readonly cwd?: string | null;
  readonly exit?: TerminalExit | null;
  /** The complete output. */
  readonly output?: Uint8Array | null;
}

/** Reports additional output. */
interface OutputReport {
  readonly kind: 'printed';
  readonly terminalId: string;
  /** A string may end between the halves of a surrogate pair. */
  readonly data: Uint8Array | string;
}

export type TerminalReport = PlacementReport | StateReport | OutputReport;

type Fields = Readonly<Record<string, unknown>>;

/** Maximum length of an id. Longer ids are ignored. */
const MAX_ID_CHARS = 1024;
/** Maximum length of a command or directory. Longer ones are cut off. */
const MAX_TEXT_CHARS = 16 << 10;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Returns the parsed reports in the order in which they must be applied. */
export function parseTerminalReports(update: unknown): TerminalReport[] {
  if (!isRecord(update)) return [];
  if (update['sessionUpdate'] === 'terminal_update') return withId(update['terminalId'], (id) => [stated(id, update)]);
  if (update['sessionUpdate'] === 'terminal_output_chunk') {
    return withId(update['terminalId'], (id) => printed(id, bytesOf(update['data'])));
  }
  return [...anchors(update), ...parseMeta(update['_meta'])];
}

/** Returns the terminals that a tool call's `content`, a list or a single element, shows. */
function anchors({ toolCallId, content }: Fields): PlacementReport[] {
  if (!isId(toolCallId)) return [];
  return [content].flat().flatMap((item): PlacementReport[] => {
    if (!isRecord(item) || item['type'] !== 'terminal') return [];
    return withId(item['terminalId'], (terminalId) => [{ kind: 'anchored', terminalId, toolCallId }]);
  });
}

function parseMeta(meta: unknown): TerminalReport[] {
  if (!isRecord(meta)) return [];
  // Adapters send one of these; if an adapter sends both, they are equal.
  const output = meta['terminal_output_delta'] ?? meta['terminal_output'];
  return [
    ...ofMeta(meta['terminal_info'], (id, info) => [{ kind: 'stated', terminalId: id, ...texts(info) }]),
    ...ofMeta(output, (id, { data }) => (typeof data === 'string' ? printed(id, data) : [])),
    ...ofMeta(meta['terminal_exit'], (id, exit) => [
      { kind: 'stated', terminalId: id, exit: ending(exit['exit_code'], exit['signal']) },
    ]),
  ];
}

function ofMeta(fields: unknown, read: (terminalId: string, fields: Fields) => TerminalReport[]): TerminalReport[] {
  return isRecord(fields) ? withId(fields['terminal_id'], (id) => read(id, fields)) : [];
}

function stated(terminalId: string, update: Fields): StateReport {
  const { exitStatus } = update;
  const exit = isRecord(exitStatus) ? ending(exitStatus['exitCode'], exitStatus['signal']) : nullOnly(exitStatus);
  const output = isRecord(update['output']) ? bytesOf(update['output']['data']) : nullOnly(update['output']);
  return {
    ...{ kind: 'stated', terminalId, ...texts(update) },
    ...(exit === undefined ? {} : { exit }),
    ...(output === undefined ? {} : { output }),
  };
}

/** Returns the command and the directory. Values of the wrong type count as missing. */
function texts(fields: Fields): Pick<StateReport, 'command' | 'cwd'> {
  const [command, cwd] = [textOf(fields['command']), textOf(fields['cwd'])];
  return { ...(command === undefined ? {} : { command }), ...(cwd === undefined ? {} : { cwd }) };
}

function textOf(value: unknown): string | null | undefined {
  return typeof value === 'string' ? beginning(value, MAX_TEXT_CHARS) : nullOnly(value);
}

/** Returns the beginning of a string, copied through bytes, because a slice would keep the whole string in memory. */
function beginning(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();
}

function nullOnly(value: unknown): null | undefined {
  return value === null ? null : undefined;
}

/** Returns the exit. The code may be negative, because agents on Windows pass such codes on unchanged. */
function ending(exitCode: unknown, signal: unknown): TerminalExit {
  return {
    exitCode: Number.isSafeInteger(exitCode) ? (exitCode as number) : null,
    signal: typeof signal === 'string' ? beginning(signal, MAX_ID_CHARS) : null,
  };
}

function printed(terminalId: string, data: Uint8Array | string | undefined): OutputReport[] {
  return data === undefined || data.length === 0 ? [] : [{ kind: 'printed', terminalId, data }];
}

function bytesOf(data: unknown): Uint8Array | undefined {
  return typeof data === 'string' && BASE64.test(data) ? Buffer.from(data, 'base64') : undefined;
}

function withId<Saying>(id: unknown, say: (id: string) => Saying[]): Saying[] {
  return isId(id) ? say(id) : [];
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && id.length <= MAX_ID_CHARS;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
