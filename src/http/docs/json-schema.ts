/**
 * Generates JSON Schemas of the API's types for OpenAPI and the documentation, with named parts and without keywords
 * that only repeat the type. Pure.
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
import { question } from '../../contract/waiting.js';
import { errorForm } from '../route.js';
import { listedTerminal, overviewRow, shownTerminal } from '../routes/terminal-forms.js';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Schemas that have a name of their own under `components`. */
const NAMES = new Map<z.core.$ZodType, string>([
  [createTerminal, 'CreateTerminal'],
  [createdTerminal, 'CreatedTerminal'],
  [listedTerminal, 'TerminalSummary'],
  [shownTerminal, 'TerminalDetail'],
  [overviewRow, 'OverviewTerminal'],
  [question, 'Question'],
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

/** Extends Zod's own registry of descriptions by the names in `NAMES`. */
class NamedRegistry extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get<S extends z.core.$ZodType>(schema: S) {
    const id = NAMES.get(schema);
    const known = z.globalRegistry.get(schema);
    return id === undefined ? known : { ...known, id };
  }
}

type Direction = 'input' | 'output';

/** Returns all named parts, each with its name. */
export function namedParts(): readonly (readonly [name: string, schema: z.ZodType])[] {
  return [...NAMES].map(([schema, name]) => [name, schema as z.ZodType]);
}

/** Returns a schema whose parts are all inlined. */
export function inlineSchema(schema: z.ZodType, io: Direction): JsonSchema {
  return bare(z.toJSONSchema(schema, { io, override: tidy }));
}

/** Returns a schema that refers to its named parts, and adds these parts to `components`. */
export function namedSchema(schema: z.ZodType, io: Direction, components: Record<string, unknown>): JsonSchema {
  const override = io === 'input' ? tidyInput : tidy;
  const { $defs = {}, ...rest } = bare(z.toJSONSchema(schema, { io, override, metadata: new NamedRegistry() }));
  Object.assign(components, relocate($defs));
  return relocate(rest);
}

/**
 * Moves defaults to the descriptions. Generators of TypeScript clients read a default as the promise that the field is
 * present, and would require it in requests.
 */
function tidyInput({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  tidy({ jsonSchema });
  const { default: value, description = '' } = jsonSchema;
  if (value === undefined) return;
  delete jsonSchema.default;
  if (!/default:/i.test(description))
    jsonSchema.description = `${description} Default: ${JSON.stringify(value)}.`.trim();
}

/** Rewrites references. JSON Schema keeps named parts in `$defs`; OpenAPI keeps them in one place per document. */
function relocate<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as T;
}

function bare({ $schema: _dialect, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** Removes what zod adds although the type already implies it: the bounds of safe integers and the pattern of dates. */
function tidy({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}
