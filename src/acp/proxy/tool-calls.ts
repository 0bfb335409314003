/**
 * Finds the terminals that a tool call in an agent's message shows, and builds the messages to send instead. Identifies
 * terminals only by their ids. Pure.
 */
import type { Message, JsonPart } from './message.js';

/** A tool call as it appears in one message. */
export interface ToolCallPart {
  /** The object that contains `toolCallId` and `content`. */
  readonly part: JsonPart;
  /** The session's id as JSON, as the agent wrote it. */
  readonly sessionId: string;
  readonly toolCallId: string;
  /** Whether the tool call begins with this message. */
  readonly isNew: boolean;
  readonly hasEnded: boolean;
  /** Undefined if the message does not contain the content. */
  readonly content: JsonPart | undefined;
}

const UPDATES: readonly (string | undefined)[] = ['tool_call', 'tool_call_update'];
const ENDED: readonly (string | undefined)[] = ['completed', 'failed'];

/** Returns the tool call in a message, or undefined if the message does not concern one. */
export function toolCallOf(message: Message): ToolCallPart | undefined {
  const part = partOf(message);
  const sessionId = message.params?.member('sessionId')?.text;
  const toolCallId = part?.member('toolCallId')?.text;
  if (part === undefined || sessionId === undefined || toolCallId === undefined) return undefined;
  return {
    ...{ part, sessionId, toolCallId },
    isNew: part.string('sessionUpdate') === 'tool_call',
    hasEnded: ENDED.includes(part.string('status')),
    content: part.member('content'),
  };
}

function partOf({ method, params }: Message): JsonPart | undefined {
  if (method === 'session/request_permission') return params?.member('toolCall');
  if (method !== 'session/update') return undefined;
  const update = params?.member('update');
  return UPDATES.includes(update?.string('sessionUpdate')) ? update : undefined;
}

/** Returns the id of the terminal that a content element shows, or undefined for other elements. */
export function terminalIdOf(element: JsonPart): string | undefined {
  return element.string('type') === 'terminal' ? element.string('terminalId') : undefined;
}

/** Returns a line that updates `fields` of a tool call. The ids and each field are JSON. */
export function updateLine(
  { sessionId, toolCallId }: Pick<ToolCallPart, 'sessionId' | 'toolCallId'>,
  fields: Readonly<Record<string, string>>,
): Buffer {
  const members = Object.entries(fields).map(([name, json]) => `,"${name}":${json}`);
  const update = `{"sessionUpdate":"tool_call_update","toolCallId":${toolCallId}${members.join('')}}`;
  return Buffer.from(
    `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":${sessionId},"update":${update}}}\n`,
  );
}
