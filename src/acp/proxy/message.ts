/**
 * Parses one line of the protocol as far as a proxy needs it: its method, its id and the positions of its parts. Also
 * returns the line with parts of it changed. Pure, and independent of particular methods.
 */
import { elementsOf, membersOf } from './json-members.js';
import type { ByteSpan } from './json-members.js';

/** A change to a line, which replaces the text from `start` to `end`. */
export interface Edit extends ByteSpan {
  readonly text: string;
}

/** A part of a line: a JSON value, which has parts of its own. */
export class JsonPart {
  readonly #line: Buffer;
  readonly span: ByteSpan;
  #members: Map<string, ByteSpan> | undefined;

  constructor(line: Buffer, span: ByteSpan, members?: Map<string, ByteSpan>) {
    this.#line = line;
    this.span = span;
    this.#members = members;
  }

  /** The source text, which preserves all digits of numbers. */
  get text(): string {
    return this.#line.toString('utf8', this.span.start, this.span.end);
  }

  /** Returns the source text from `start` to `end` of the same line. */
  sibling(start: number, end: number): string {
    return this.#line.toString('utf8', start, end);
  }

  /** The parsed value, or undefined if it is not valid JSON. */
  get value(): unknown {
    return parsed(this.text);
  }

  /** Returns a member if this is an object that has the member. */
  member(name: string): JsonPart | undefined {
    this.#members ??= membersOf(this.#line, this.span.start) ?? new Map<string, ByteSpan>();
    const span = this.#members.get(name);
    return span === undefined ? undefined : new JsonPart(this.#line, span);
  }

  /** Returns the value of a member if it is a string. */
  string(name: string): string | undefined {
    const value = this.member(name)?.value;
    return typeof value === 'string' ? value : undefined;
  }

  get isObject(): boolean {
    return membersOf(this.#line, this.span.start) !== undefined;
  }

  /** The elements, or undefined if this is not an array. */
  get elements(): JsonPart[] | undefined {
    return elementsOf(this.#line, this.span.start)?.map((span) => new JsonPart(this.#line, span));
  }

  /** Returns the edit that sets this member, or null if this is not an object. */
  withMember(name: string, json: string): Edit | null {
    if (!this.isObject) return null;
    const present = this.member(name);
    if (present !== undefined) return { ...present.span, text: json };
    const at = this.span.start + 1;
    return { start: at, end: at, text: `${JSON.stringify(name)}:${json}${this.#members!.size > 0 ? ',' : ''}` };
  }

  /** Returns the edit that appends an element, or null if this is not an array. */
  withElement(json: string): Edit | null {
    const { elements } = this;
    if (elements === undefined) return null;
    const at = this.span.end - 1;
    return { start: at, end: at, text: elements.length > 0 ? `,${json}` : json };
  }
}

export class Message extends JsonPart {
  readonly line: Buffer;
  readonly method: string | undefined;
  /** The id, or null for a notification. */
  readonly id: JsonPart | null;

  private constructor(line: Buffer, members: Map<string, ByteSpan>) {
    super(line, { start: line.indexOf('{'), end: line.length }, members);
    this.line = line;
    this.method = this.string('method');
    this.id = this.member('id') ?? null;
  }

  /**
   * Parses a line. Returns undefined if it does not contain a complete JSON object. Checks only the structure;
   * `isWellFormed` validates the whole line.
   */
  static read(line: Buffer): Message | undefined {
    const members = membersOf(line);
    return members === undefined ? undefined : new Message(line, members);
  }

  get params(): JsonPart | undefined {
    return this.member('params');
  }

  /**
   * Whether the whole line is valid JSON. More expensive than everything else here, so check it only before changing
   * the line.
   */
  get isWellFormed(): boolean {
    return parsed(this.line.toString()) !== undefined;
  }

  /** The key that matches a response to its request, or null for a notification. */
  get idKey(): string | null {
    return this.id === null ? null : keyOf(this.id);
  }

  /** Returns the line with these edits applied. They must not overlap. */
  edited(edits: readonly Edit[]): Buffer {
    const pieces: Buffer[] = [];
    let at = 0;
    for (const { start, end, text } of [...edits].sort((one, other) => one.start - other.start)) {
      pieces.push(this.line.subarray(at, start), Buffer.from(text));
      at = end;
    }
    return Buffer.concat([...pieces, this.line.subarray(at)]);
  }
}

/**
 * Returns a key that is the same for ids that are equal as JSON. Compares ids that are objects or arrays, which no
 * valid message has, as source text, so that deep nesting costs nothing.
 */
export function keyOf(id: JsonPart | null | undefined): string {
  const value = id?.value;
  return typeof value === 'object' && value !== null ? id!.text : (JSON.stringify(value) ?? '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
