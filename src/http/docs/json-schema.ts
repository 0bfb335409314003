/**
 * JSON Schema of the wire vocabulary, as OpenAPI and the documentation want it: named parts, nothing
 * that says only what the type says already. Pure.
 */
import { z } from 'zod';
import { commandRecord, commandResult, execCommand, inputWait, waitFor, waitResult } from '../../contract/command.js';
import { outputPage, terminalScreen, terminalStats } from '../../contract/output.js';
import { programResult } from '../../contract/program.js';
import { searchMatch, searchResult } from '../../contract/search.js';
import {
  createdTerminal,
  createTerminal,
  killTerminal,
  sendSignal,
  terminalInput,
  terminalSize,
} from '../../contract/terminal.js';
import { errorForm } from '../route.js';
import { listedTerminal, shownTerminal } from '../routes/terminal-forms.js';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Schemas with a name of their own under `components`. */
const NAMES = new Map<z.core.$ZodType, string>([
  [createTerminal, 'CreateTerminal'],
  [createdTerminal, 'CreatedTerminal'],
  [listedTerminal, 'TerminalSummary'],
  [shownTerminal, 'TerminalDetail'],
  [terminalInput, 'TerminalInput'],
  [terminalSize, 'TerminalSize'],
  [sendSignal, 'SendSignal'],
  [killTerminal, 'KillTerminal'],
  [execCommand, 'ExecCommand'],
  [commandResult, 'CommandResult'],
  [commandRecord, 'CommandRecord'],
  [programResult, 'ProgramResult'],
  [inputWait, 'InputWait'],
  [waitFor, 'WaitFor'],
  [waitResult, 'WaitResult'],
  [outputPage, 'OutputPage'],
  [searchResult, 'SearchResult'],
  [searchMatch, 'SearchMatch'],
  [terminalScreen, 'TerminalScreen'],
  [terminalStats, 'TerminalStats'],
  [errorForm, 'Error'],
]);

/** Zod's own registry of descriptions, with the names above added to it. */
class NamedRegistry extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get<S extends z.core.$ZodType>(schema: S) {
    const id = NAMES.get(schema);
    const known = z.globalRegistry.get(schema);
    return id === undefined ? known : { ...known, id };
  }
}

type Direction = 'input' | 'output';

/** The parts that have a name, by it. */
export function namedParts(): readonly (readonly [name: string, schema: z.ZodType])[] {
  return [...NAMES].map(([schema, name]) => [name, schema as z.ZodType]);
}

/** A schema with every part written out where it stands. */
export function inlineSchema(schema: z.ZodType, io: Direction): JsonSchema {
  return bare(z.toJSONSchema(schema, { io, override: tidy }));
}

/** A schema whose named parts are references; they are added to `components`. */
export function namedSchema(schema: z.ZodType, io: Direction, components: Record<string, unknown>): JsonSchema {
  const { $defs = {}, ...rest } = bare(z.toJSONSchema(schema, { io, override: tidy, metadata: new NamedRegistry() }));
  Object.assign(components, relocate($defs));
  return relocate(rest);
}

/** JSON Schema keeps named parts in `$defs`; OpenAPI wants them in one place for the whole document. */
function relocate<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as T;
}

function bare({ $schema: _dialect, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** Takes out what zod adds but the type says already: the bounds of exact integers, the digits of dates. */
function tidy({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}
