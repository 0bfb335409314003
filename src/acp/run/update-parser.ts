/**
 * Converts an agent's `session/update` messages to events. Accepts any input: unknown or malformed updates produce no
 * event, and fields of the wrong type count as missing. Remembers tool calls, because agents send only what has
 * changed. Pure.
 */
import type {
  FileDiff,
  FileLocation,
  PermissionOption,
  PermissionQuestion,
  PlanEntry,
  RunEvent,
  ToolCall,
} from './events.js';

type Fields = Readonly<Record<string, unknown>>;

/** Maximum number of tool calls that are remembered. Beyond it, the oldest is dropped; a later update adds it again. */
const MAX_TOOL_CALLS = 1000;
const CHUNKS = { user_message_chunk: 'user', agent_message_chunk: 'message', agent_thought_chunk: 'thought' } as const;
const UNNAMED = 'Tool';
/** Limits for a tool's text and changes, beyond what any display shows. */
const MAX_TEXT_CHARS = 256 << 10;
const MAX_LOCATIONS = 1000;

export class UpdateParser {
  readonly #calls = new Map<string, ToolCall>();

  /** Returns the event for an update, or null if it produces none. */
  read(update: unknown): RunEvent | null {
    const fields = recordOf(update);
    const kind = fields['sessionUpdate'];
    if (typeof kind !== 'string') return null;
    if (Object.hasOwn(CHUNKS, kind)) return chunkEvent(CHUNKS[kind as keyof typeof CHUNKS], fields['content']);
    if (kind === 'tool_call' || kind === 'tool_call_update') return this.#toolEvent(fields);
    if (kind === 'plan') return { type: 'plan', entries: listOf(fields['entries']).map(planEntry) };
    if (kind === 'current_mode_update') return modeEvent(fields['currentModeId']);
    return kind === 'notice' ? { type: 'warning', text: textOf(fields['title']) ?? '' } : null;
  }

  /** Parses a `session/request_permission`, which also contains its tool call. */
  readQuestion(params: unknown): PermissionQuestion {
    const { toolCall, options } = recordOf(params);
    const call = this.#merged(recordOf(toolCall));
    return { ...call, options: listOf(options).flatMap(optionOf) };
  }

  #toolEvent(fields: Fields): RunEvent | null {
    return typeof fields['toolCallId'] === 'string' ? { type: 'tool', ...this.#merged(fields) } : null;
  }

  #merged(fields: Fields): ToolCall {
    const toolCallId = textOf(fields['toolCallId']) ?? '';
    const before = this.#calls.get(toolCallId) ?? emptyCall(toolCallId);
    const content = Array.isArray(fields['content']) ? contentOf(fields['content'].map(recordOf)) : {};
    const call: ToolCall = {
      ...{ ...before, ...content },
      title: textOf(fields['title']) ?? before.title,
      kind: textOf(fields['kind']) ?? before.kind,
      status: textOf(fields['status']) ?? before.status,
      rawInput: inputOf(fields['rawInput']) ?? before.rawInput,
      locations: Array.isArray(fields['locations']) ? locationsOf(fields['locations']) : before.locations,
    };
    this.#calls.set(toolCallId, call);
    if (this.#calls.size > MAX_TOOL_CALLS) this.#calls.delete(this.#calls.keys().next().value!);
    return call;
  }
}

function emptyCall(toolCallId: string): ToolCall {
  const content = { diffs: [], texts: [], terminalIds: [] };
  return { toolCallId, title: UNNAMED, kind: null, status: null, ...content, rawInput: null, locations: [] };
}

function chunkEvent(type: 'user' | 'message' | 'thought', content: unknown): RunEvent | null {
  const text = shownContent(recordOf(content));
  return text === null ? null : { type, text };
}

function contentOf(items: readonly Fields[]): Pick<ToolCall, 'diffs' | 'texts' | 'terminalIds'> {
  const texts = items.map((item) => (item['type'] === 'content' ? shownContent(recordOf(item['content'])) : null));
  const ids = items.map((item) => (item['type'] === 'terminal' ? textOf(item['terminalId']) : null));
  const cut = texts.filter(isText).map((text) => text.slice(0, MAX_TEXT_CHARS));
  return { diffs: items.flatMap(diffOf), texts: cut, terminalIds: ids.filter(isText) };
}

function diffOf({ type, path, oldText, newText }: Fields): FileDiff[] {
  if (type !== 'diff' || typeof path !== 'string' || typeof newText !== 'string') return [];
  const before = textOf(oldText)?.slice(0, MAX_TEXT_CHARS) ?? null;
  return [{ path, oldText: before, newText: newText.slice(0, MAX_TEXT_CHARS) }];
}

function inputOf(rawInput: unknown): unknown {
  const json = JSON.stringify(rawInput) ?? 'null';
  return json.length > MAX_TEXT_CHARS ? json.slice(0, MAX_TEXT_CHARS) : rawInput;
}

function locationsOf(locations: readonly unknown[]): FileLocation[] {
  return listOf(locations.slice(0, MAX_LOCATIONS)).flatMap(({ path, line }) =>
    typeof path === 'string' ? [{ path, line: typeof line === 'number' ? line : null }] : [],
  );
}

/** Returns the text of a content block. For other content, returns its name. */
function shownContent({ type, text, name, uri, resource }: Fields): string | null {
  if (type === 'text') return textOf(text);
  if (type === 'resource_link') return `[${textOf(name) ?? textOf(uri) ?? 'resource'}]`;
  if (type === 'resource') return `[${textOf(recordOf(resource)['uri']) ?? 'resource'}]`;
  return type === 'image' || type === 'audio' ? `[${type}]` : null;
}

function modeEvent(modeId: unknown): RunEvent | null {
  return typeof modeId === 'string' ? { type: 'mode', modeId } : null;
}

function planEntry(entry: Fields): PlanEntry {
  return { content: textOf(entry['content']) ?? '', status: textOf(entry['status']) };
}

function optionOf({ optionId, name, kind }: Fields): PermissionOption[] {
  return typeof optionId === 'string' ? [{ optionId, name: textOf(name) ?? optionId, kind: textOf(kind) }] : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function isText(value: string | null): value is string {
  return value !== null;
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

function recordOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
