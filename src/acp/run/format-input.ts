/**
 * Formats a tool's input for a permission question. Shows what the tool runs or accesses in full, and abbreviates
 * everything else. Pure.
 */

export interface InputPart {
  /** The label at the start of each line, or null for the main value. */
  readonly label: string | null;
  readonly text: string;
}

export interface FormattedInput {
  /** Parts that must be shown in full. */
  readonly whole: readonly InputPart[];
  /** The remaining fields, or null. */
  readonly rest: string | null;
}

/** Names that agents use for the fields that specify what a tool does; those that specify what it runs come first. */
const RUN_FIELDS = ['command', 'cmd', 'script'];
const ACCESSED_FIELDS = ['path', 'file_path', 'filePath', 'abs_path', 'url', 'uri'];
const NOTHING: FormattedInput = { whole: [], rest: null };

/**
 * Formats a tool's input.
 *
 * @param rawInput - The input as the agent sent it, or null or undefined if it is missing.
 */
export function formatInput(rawInput: unknown): FormattedInput {
  if (typeof rawInput === 'string') return { whole: [{ label: null, text: rawInput }], rest: null };
  if (typeof rawInput !== 'object' || rawInput === null || Object.keys(rawInput).length === 0) return NOTHING;
  const fields = Object.entries(rawInput);
  const named = [...RUN_FIELDS, ...ACCESSED_FIELDS].flatMap((name) =>
    fields.filter(([key, value]) => key === name && isStatement(value)),
  );
  if (named.length === 0) return { whole: [{ label: 'with', text: JSON.stringify(rawInput) }], rest: null };
  const others = fields.filter(([key]) => !named.some(([name]) => name === key));
  const rest = others.length === 0 ? null : JSON.stringify(Object.fromEntries(others));
  const whole = named.map(([name, value]) => ({ label: RUN_FIELDS.includes(name) ? null : name, text: textOf(value) }));
  // Other fields, such as arguments and variables, may decide what a command does.
  return rest !== null && named.some(([name]) => RUN_FIELDS.includes(name))
    ? { whole: [...whole, { label: 'with', text: rest }], rest: null }
    : { whole, rest };
}

/** Returns whether a value can specify what to run: a string, or a list with a program and its arguments. */
function isStatement(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
