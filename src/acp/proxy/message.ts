/**
 * One line of the protocol as far as a proxy has to know it: which method, which id, where its parts lie, and what the
 * line is with one of them changed. Pure; it knows no method.
 */
import { elementsOf, membersOf } from './json-members.js';
import type { Span } from './json-members.js';

/** A change of a line: what stands at `start` to `end` is replaced. */
export interface Edit extends Span {
  readonly text: string;
}

/** A part of a line: a JSON value, with the parts it has itself. */
export class Part {
  readonly #line: Buffer;
  readonly span: Span;
  #members: Map<string, Span> | undefined;

  constructor(line: Buffer, span: Span, members?: Map<string, Span>) {
    this.#line = line;
    this.span = span;
    this.#members = members;
  }

  /** As it is written, so that numbers keep all of their digits. */
  get text(): string {
    return this.#line.toString('utf8', this.span.start, this.span.end);
  }

  /** What is written in the same line from `start` to `end`. */
  sibling(start: number, end: number): string {
    return this.#line.toString('utf8', start, end);
  }

  /** Undefined if it is no JSON. */
  get value(): unknown {
    return parsed(this.text);
  }

  /** A member of it, if it is an object that has one. */
  member(name: string): Part | undefined {
    this.#members ??= membersOf(this.#line, this.span.start) ?? new Map<string, Span>();
    const span = this.#members.get(name);
    return span === undefined ? undefined : new Part(this.#line, span);
  }

  /** A member's text, if it is a string. */
  string(name: string): string | undefined {
    const value = this.member(name)?.value;
    return typeof value === 'string' ? value : undefined;
  }

  get isObject(): boolean {
    return membersOf(this.#line, this.span.start) !== undefined;
  }

  /** Undefined if it is no array. */
  get elements(): Part[] | undefined {
    return elementsOf(this.#line, this.span.start)?.map((span) => new Part(this.#line, span));
  }

  /** The change that gives it this member; null if it is no object. */
  withMember(name: string, json: string): Edit | null {
    if (!this.isObject) return null;
    const present = this.member(name);
    if (present !== undefined) return { ...present.span, text: json };
    const at = this.span.start + 1;
    return { start: at, end: at, text: `${JSON.stringify(name)}:${json}${this.#members!.size > 0 ? ',' : ''}` };
  }

  /** The change that gives it one more element at its end; null if it is no array. */
  withElement(json: string): Edit | null {
    const { elements } = this;
    if (elements === undefined) return null;
    const at = this.span.end - 1;
    return { start: at, end: at, text: elements.length > 0 ? `,${json}` : json };
  }
}

export class Message extends Part {
  readonly line: Buffer;
  readonly method: string | undefined;
  /** Null where it has none: a notification. */
  readonly id: Part | null;

  private constructor(line: Buffer, members: Map<string, Span>) {
    super(line, { start: line.indexOf('{'), end: line.length }, members);
    this.line = line;
    this.method = this.string('method');
    this.id = this.member('id') ?? null;
  }

  /** Undefined for what begins like no message; whether all of it is JSON `isWellFormed` says. */
  static read(line: Buffer): Message | undefined {
    const members = membersOf(line);
    return members === undefined ? undefined : new Message(line, members);
  }

  get params(): Part | undefined {
    return this.member('params');
  }

  /** Costs more than all else here: to be asked before something is made of the line. */
  get isWellFormed(): boolean {
    return parsed(this.line.toString()) !== undefined;
  }

  /** What an answer is known by: two ids are one if they are equal as JSON. */
  get idKey(): string | null {
    return this.id === null ? null : keyOf(this.id.value);
  }

  /** The line with these changes, which do not overlap. */
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

export function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
