/**
 * What a tool is to be given, as a person has to see it before they allow it: what it runs or reaches, whole, and the rest
 * in short. Pure.
 */

export interface InputPart {
  /** What stands before each line; null for the thing itself. */
  readonly label: string | null;
  readonly text: string;
}

export interface SeenInput {
  /** All of it has to be seen. */
  readonly whole: readonly InputPart[];
  /** What there is besides, or null. */
  readonly rest: string | null;
}

/** Fields that say what a tool does, by the names that agents give them; what is run comes first. */
const RUN = ['command', 'cmd', 'script'];
const REACHED = ['path', 'file_path', 'filePath', 'abs_path', 'url', 'uri'];
const NOTHING: SeenInput = { whole: [], rest: null };

/** @param rawInput - Whatever the agent has told; null or undefined for nothing. */
export function seenInput(rawInput: unknown): SeenInput {
  if (typeof rawInput === 'string') return { whole: [{ label: null, text: rawInput }], rest: null };
  if (typeof rawInput !== 'object' || rawInput === null || Object.keys(rawInput).length === 0) return NOTHING;
  const fields = Object.entries(rawInput);
  const named = [...RUN, ...REACHED].flatMap((name) => fields.filter(([key, value]) => key === name && isSaid(value)));
  if (named.length === 0) return { whole: [{ label: 'with', text: JSON.stringify(rawInput) }], rest: null };
  const rest = fields.filter(([key]) => !named.some(([name]) => name === key));
  return {
    whole: named.map(([name, value]) => ({ label: RUN.includes(name) ? null : name, text: textOf(value) })),
    rest: rest.length === 0 ? null : JSON.stringify(Object.fromEntries(rest)),
  };
}

/** A program with its arguments may be a list. */
function isSaid(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
