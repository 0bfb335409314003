/** What a scripted model knows of a conversation, and what it says next, in no API's words. */

export interface Conversation {
  /** The names of the tools that the agent offers. */
  readonly tools: readonly string[];
  /** What the tools gave, in order. */
  readonly results: readonly string[];
}

export type Reply =
  | { readonly kind: 'text'; readonly id: string; readonly text: string }
  | { readonly kind: 'calls'; readonly id: string; readonly calls: readonly Call[] };

export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One call of a tool. */
export interface Step {
  /** The first tool that matches is called. */
  readonly tool: RegExp;
  /** What the tool is given, knowing what the tools gave before. */
  readonly input: (results: readonly string[]) => Readonly<Record<string, unknown>>;
  /** Whether the next step is called in the same answer. */
  readonly withNext?: boolean;
}

/** What a model does in one turn. */
export interface Script {
  readonly steps: readonly Step[];
  /** How many results are older than the turn. */
  readonly before: number;
}

/**
 * The step that is next, and after the last one a text that quotes what came of it. The conversation alone says which,
 * so that a request that is sent again gets the same answer. A question without tools (for a title, say) is no step.
 */
export function nextReply({ tools, results }: Conversation, { steps, before }: Script): Reply {
  const id = `scripted_${results.length}`;
  const next = together(steps.slice(results.length - before));
  if (tools.length === 0) return { kind: 'text', id, text: 'A scripted title' };
  if (next.length === 0) return { kind: 'text', id, text: `It gave: ${results.at(-1) ?? 'nothing'}` };
  const calls: Call[] = [];
  for (const [index, step] of next.entries()) {
    const tool = tools.find((name) => step.tool.test(name));
    if (tool === undefined) return { kind: 'text', id, text: `No tool matches ${step.tool}: ${tools.join(' ')}` };
    calls.push({ id: `${id}_${index}`, tool, input: step.input(results.slice(before)) });
  }
  return { kind: 'calls', id, calls };
}

/** The steps that are called in one answer. */
function together(steps: readonly Step[]): readonly Step[] {
  const last = steps.findIndex(({ withNext = false }) => !withNext);
  return steps.slice(0, last + 1);
}

/** The text of a message, whether it is a string or made of blocks. */
export function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as { text?: string }[]).map(({ text = '' }) => text).join('\n');
}
