/** A scripted model's state of a conversation, and its next reply, independent of any API. */

export interface ModelConversation {
  /** The names of the tools that the agent offers. */
  readonly tools: readonly string[];
  /** The tools' results, in order. */
  readonly results: readonly string[];
}

export type ModelReply =
  | { readonly kind: 'text'; readonly id: string; readonly text: string }
  | { readonly kind: 'calls'; readonly id: string; readonly calls: readonly ModelCall[] };

export interface ModelCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One tool call. */
export interface ModelStep {
  /** The first tool that matches is called. */
  readonly tool: RegExp;
  /** Returns the tool's input, given the earlier results. */
  readonly input: (results: readonly string[]) => Readonly<Record<string, unknown>>;
  /** Whether the next step is called in the same answer. */
  readonly withNext?: boolean;
}

/** The steps of a model in one turn. */
export interface Script {
  readonly steps: readonly ModelStep[];
  /** The number of results from earlier turns. */
  readonly before: number;
}

/**
 * Returns the next step or, after the last one, a text that quotes the results. Depends only on the conversation, so
 * that a repeated request gets the same answer. A request without tools (for a title, for example) is not a step.
 */
export function nextReply({ tools, results }: ModelConversation, { steps, before }: Script): ModelReply {
  const id = `scripted_${results.length}`;
  const next = together(steps.slice(results.length - before));
  if (tools.length === 0) return { kind: 'text', id, text: 'A scripted title' };
  if (next.length === 0) return { kind: 'text', id, text: `It gave: ${results.at(-1) ?? 'nothing'}` };
  const calls: ModelCall[] = [];
  for (const [index, step] of next.entries()) {
    const tool = tools.find((name) => step.tool.test(name));
    if (tool === undefined) return { kind: 'text', id, text: `No tool matches ${step.tool}: ${tools.join(' ')}` };
    calls.push({ id: `${id}_${index}`, tool, input: step.input(results.slice(before)) });
  }
  return { kind: 'calls', id, calls };
}

/** The steps that are called in one answer. */
function together(steps: readonly ModelStep[]): readonly ModelStep[] {
  const last = steps.findIndex(({ withNext = false }) => !withNext);
  return steps.slice(0, last + 1);
}

/** Returns the text of a message, whether it is a string or made of blocks. */
export function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as { text?: string }[]).map(({ text = '' }) => text).join('\n');
}
