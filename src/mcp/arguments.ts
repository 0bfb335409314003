/**
 * Defines the arguments of the `terminal` tool, which are one flat object that is validated here, and the JSON Schema
 * that models see.
 */
import { z } from 'zod';
import { check } from '../check.js';
import { MAX_COMMAND_CHARS, MAX_EXEC_TIMEOUT_MS, MAX_PATTERN_CHARS } from '../contract/command.js';
import { MAX_COLS, MAX_ROWS, SIGNALS, terminalIdOrName } from '../contract/terminal.js';
import { invalidInput } from '../errors.js';

export const ACTIONS = [
  'EXEC',
  'READ',
  'LIST',
  'KILL',
  'INPUT',
  'WAIT',
  'SCREEN',
  'SEARCH',
  'RESIZE',
  'SIGNAL',
] as const;
export type ToolAction = (typeof ACTIONS)[number];

/** The kinds of shell or REPL that a command may have opened. */
const INNER = ['auto', 'sh', 'python', 'node'] as const;

export const DEFAULT_AWAIT_MS = 300_000;
export const DEFAULT_INPUT_AWAIT_MS = 5000;
export const MAX_TAIL = 2000;
export const DEFAULT_MAX_TOKENS = 10_000;
/** The largest token limit that a call can set for its result. */
const MAX_MAX_TOKENS = 24_000;
const MIN_MAX_TOKENS = 50;
/** Bounds above this have no practical effect and are not shown. */
const MAX_SHOWN_BOUND = 100_000;
const MAX_TERMINAL_NUMBER = 2 ** 32 - 1;
const MAX_KEYS = 100;
const MAX_CONTEXT_LINES = 20;
/** A number, because every argument has a single simple type. */
export const ANY_PORT = 0;

const whole = (from: number, to: number) => z.int().min(from).max(to).optional();
/**
 * Describes an argument for models. The description repeats the default, which the action applies, because some clients
 * drop `default`.
 */
const described = <T extends z.ZodType>(schema: T, what: string, value?: number | boolean | string) =>
  value === undefined
    ? schema.describe(what)
    : schema.meta({ description: `${what} (default ${String(value)})`, default: value });
const flag = z.boolean().optional();

const argumentSchema = z.strictObject({
  action: described(z.enum(ACTIONS).optional(), 'What to do', 'EXEC'),
  terminal: described(whole(0, MAX_TERMINAL_NUMBER), 'Your terminal 0, 1, 2…', 0),
  id: described(terminalIdOrName.optional(), 'Instead: a terminal by id or name, as in LIST all'),
  command: described(
    z
      .string()
      .max(MAX_COMMAND_CHARS)
      .regex(/^[^\0]*$/, { error: 'text without a NUL character' })
      .optional(),
    'EXEC: any shell text, including several lines',
  ),
  within: described(z.enum(INNER).optional(), 'EXEC: run in the nested shell or REPL (ssh, sudo -s, docker, python3)'),
  await_completion_ms: described(
    whole(0, MAX_EXEC_TIMEOUT_MS),
    'EXEC, WAIT, INPUT (its default 5000): maximum wait; the command continues. 0: do not wait',
    DEFAULT_AWAIT_MS,
  ),
  clear: described(flag, 'EXEC: false appends to the buffer of READ', true),
  tail: described(whole(1, MAX_TAIL), 'Only the last lines. Without it: start and end of long output', MAX_TAIL),
  max_tokens: described(whole(MIN_MAX_TOKENS, MAX_MAX_TOKENS), 'Maximum output', DEFAULT_MAX_TOKENS),
  command_id: described(
    whole(0, Number.MAX_SAFE_INTEGER),
    'READ, WAIT, SEARCH: this command (default: last); 0: whole terminal',
  ),
  from_line: described(whole(0, Number.MAX_SAFE_INTEGER), 'READ, SEARCH: first line'),
  text: described(z.string().optional(), 'INPUT: typed, then Enter'),
  keys: described(
    z.array(z.string().min(1).max(32)).max(MAX_KEYS).optional(),
    'INPUT: after text, e.g. ["ctrl-c"], up, tab, f5, alt-x',
  ),
  enter: described(flag, 'INPUT: false: no Enter'),
  pattern: described(z.string().min(1).max(MAX_PATTERN_CHARS).optional(), 'WAIT, SEARCH: text to find'),
  regex: described(flag, 'pattern is a regular expression (RE2)'),
  idle_ms: described(whole(1, MAX_EXEC_TIMEOUT_MS), 'WAIT: no output this long'),
  port: described(whole(0, 65_535), 'WAIT: a process listens on it; 0: any'),
  context_lines: described(whole(0, MAX_CONTEXT_LINES), 'SEARCH: lines of context', 0),
  cols: whole(2, MAX_COLS),
  rows: whole(1, MAX_ROWS),
  signal: z.enum(SIGNALS).optional(),
  all: described(flag, 'LIST: others’ too. SIGNAL: all processes'),
  image: described(flag, 'SCREEN: also as PNG'),
});
export type Arguments = Omit<z.output<typeof argumentSchema>, 'action'>;

/**
 * Arguments that determine what to do, each with the actions that accept it. Other actions reject them instead of
 * silently ignoring them.
 */
const MEANT_FOR: Partial<Record<keyof Arguments, readonly ToolAction[]>> = {
  command: ['EXEC'],
  within: ['EXEC'],
  text: ['INPUT'],
  keys: ['INPUT'],
  pattern: ['WAIT', 'SEARCH'],
  idle_ms: ['WAIT'],
  port: ['WAIT'],
  signal: ['SIGNAL'],
  cols: ['RESIZE'],
  rows: ['RESIZE'],
};

/** Actions that cannot be undone if they are applied to the wrong terminal. */
const NEEDS_CERTAINTY: readonly ToolAction[] = ['KILL', 'SIGNAL', 'INPUT'];

/** Arguments for which an empty string is meaningless. */
const NEVER_EMPTY = ['action', 'id', 'within', 'pattern', 'signal'];

/**
 * Returns the requested action, which may be in any letter case, and its arguments as given. Treats `null`, and an
 * empty string where it is meaningless, as absent, because some models omit arguments in this way. For actions that end
 * or type something, however, an empty `id` does not stand for terminal 0.
 *
 * @throws `INVALID_INPUT` with the field, the given value and the expected value.
 */
export function readArguments(given: unknown): { readonly action: ToolAction; readonly args: Arguments } {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const present = isObject ? Object.fromEntries(Object.entries(given).flatMap(presentOf)) : given;
  const { action = 'EXEC', ...args } = check('', argumentSchema, present);
  for (const [name, actions] of Object.entries(MEANT_FOR)) {
    const value = args[name as keyof Arguments];
    if (value !== undefined && value !== '' && !actions.includes(action)) throw misplaced(name, action, actions);
  }
  // 0 is the default, which some clients send even if the model did not.
  if (args.id !== undefined && (args.terminal ?? 0) !== 0) throw twoTerminals(args.terminal);
  const { id } = isObject ? (given as Record<string, unknown>) : {};
  if (id === '' && args.terminal === undefined && NEEDS_CERTAINTY.includes(action)) throw emptyId();
  return { action, args };
}

function presentOf([name, value]: [name: string, value: unknown]): [name: string, value: unknown][] {
  if (value === null || (value === '' && NEVER_EMPTY.includes(name))) return [];
  if (name === 'port' && value === true) return [[name, ANY_PORT]];
  return [[name, typeof value === 'string' ? meantBy(name, value) : value]];
}

/**
 * Converts strings, because some clients pass numbers and booleans as the strings that the model wrote. `port` also
 * accepts `any`, the word used on the command line.
 */
function meantBy(name: string, given: string): unknown {
  if (name === 'action') return given.toUpperCase();
  const text = given.trim().toLowerCase();
  if (name === 'port' && text === 'any') return ANY_PORT;
  if (TYPES[name] === 'integer' && /^-?\d+(?:\.0+)?$/.test(text)) return Number(text);
  if (TYPES[name] === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  return given;
}

function emptyId() {
  const expected = 'a terminal number, or an id as in LIST all';
  return invalidInput({ field: 'id', message: `is empty; expected ${expected}`, given: '', expected });
}

function twoTerminals(given: number | undefined) {
  const message = 'has no effect with id; give only one of them';
  return invalidInput({ field: 'terminal', message, given, expected: 'only one of terminal and id' });
}

function misplaced(field: string, action: ToolAction, actions: readonly ToolAction[]) {
  const expected = `action ${actions.join(' or ')}`;
  return invalidInput({ field, message: `is for ${expected}, not for ${action}`, given: action, expected });
}

/** Returns an argument that an action requires. @throws `INVALID_INPUT` if it is absent. */
export function requiredArgument<Name extends keyof Arguments>(
  args: Arguments,
  field: Name,
  expected: string,
): NonNullable<Arguments[Name]> {
  const value = args[field];
  if (value !== undefined && value !== '') return value;
  throw invalidInput({ field, message: `is missing; expected ${expected}`, expected });
}

/** The schema that models see. */
export const ARGUMENTS_JSON_SCHEMA: Record<string, unknown> = jsonSchemaOf();

/** The JSON type of each argument, by name. */
const TYPES = Object.fromEntries(
  Object.entries(ARGUMENTS_JSON_SCHEMA['properties'] as Record<string, { readonly type: string }>).map(
    ([name, { type }]) => [name, type],
  ),
);

function jsonSchemaOf(): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(argumentSchema, { io: 'input', override: tidy });
  return schema;
}

/**
 * Removes what costs a model tokens without helping it: bounds that are never reached, and the patterns of ids and
 * keys. Also allows additional arguments, because some clients would reject them with messages that do not help a
 * model.
 */
function tidy({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.additionalProperties;
  for (const name of ['pattern', 'maxLength', 'minLength', 'maxItems'] as const) delete jsonSchema[name];
  if (jsonSchema.type !== 'integer') return;
  if (jsonSchema.minimum === 0 || jsonSchema.minimum === 1) delete jsonSchema.minimum;
  if ((jsonSchema.maximum ?? 0) > MAX_SHOWN_BOUND) delete jsonSchema.maximum;
}
