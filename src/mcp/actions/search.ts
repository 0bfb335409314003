/** SEARCH: returns matching lines of the history and their context, in the format of grep. */
import type { ToolAnswer } from '../answer.js';
import { contextOf } from '../../calls/search-context.js';
import type { SearchMatch, SearchOutput } from '../../contract/search.js';
import { countWithin, shareOf } from '../output-budget.js';
import { answer, MAX_OUTPUT_CHARS } from '../answer.js';
import { DEFAULT_MAX_TOKENS, requiredArgument } from '../arguments.js';
import type { Arguments } from '../arguments.js';
import type { ActionCall } from '../call.js';
import { bufferOf, WHOLE_TERMINAL } from '../source.js';
import type { ReadSource } from '../source.js';
import { nameOf } from '../workspace.js';
import type { TargetTerminal, Workspace } from '../workspace.js';

const NOTHING = '(nothing found)';
const APART = '--';

export async function search({ workspace, args, caller }: ActionCall): Promise<ToolAnswer> {
  const pattern = requiredArgument(args, 'pattern', 'the text to find');
  const target = await workspace.target(args);
  const source = await searchedBy(workspace, args, target);
  const { commandId } = source;
  const request = requestOf({ ...args, pattern }, source);
  const found = await workspace.manager.search(target.id, request, { signal: caller.signal });
  const shown = affordableMatches(found.matches, args.max_tokens ?? DEFAULT_MAX_TOKENS);
  const next = found.matches[shown.length]?.line ?? (found.hasMore ? found.nextFromLine : null);
  const lines = linesOf(shown);
  if (next !== null)
    lines.push(`[… more from line ${next} on; ${callFor({ ...args, command_id: commandId }, target, next)} …]`);
  return answer(lines.join('\n') || NOTHING, {
    ...{ ...nameOf(target), command_id: commandId, matches: shown.length, next_line: next },
    ...{ searched_lines: found.toLine - found.fromLine + 1, dropped_lines: found.droppedLines || null },
    hint: shown.length > 0 ? readOn(commandId) : commandId === WHOLE_TERMINAL ? null : ELSEWHERE,
  });
}

const ELSEWHERE = 'command_id 0 searches the whole history of the terminal.';

function readOn(commandId: number): string {
  return `READ with command_id ${commandId} and from_line returns more lines around a match.`;
}

/** Returns the part that READ would return, unless the call specifies another one. */
async function searchedBy(workspace: Workspace, args: Arguments, target: TargetTerminal): Promise<Searched> {
  const { command_id: commandId } = args;
  if (commandId !== undefined) return { commandId, fromLine: 0 };
  return bufferOf(workspace, target);
}

type Searched = Pick<ReadSource, 'commandId' | 'fromLine'>;

function requestOf(args: Arguments, { commandId, fromLine: first }: Searched): SearchOutput {
  const { pattern, regex, from_line: fromLine = first, context_lines: contextLines } = args;
  return {
    [regex === true ? 'regex' : 'text']: pattern,
    ...(commandId !== WHOLE_TERMINAL && { commandId }),
    ...(fromLine > 0 && { fromLine }),
    ...(contextLines !== undefined && { contextLines }),
  };
}

/** Returns as many of the first matches as the budget allows, but at least one. */
function affordableMatches(matches: readonly SearchMatch[], maxTokens: number): readonly SearchMatch[] {
  const budget = { maxTokens, maxChars: MAX_OUTPUT_CHARS };
  const shares = matches.map(({ before, text, after, line }) =>
    [...before, text, ...after].reduce((sum, one) => sum + shareOf(`${line}: ${one}`, budget), shareOf(APART, budget)),
  );
  return matches.slice(0, countWithin(shares, 1));
}

/** Returns each line once, in order, even if it is in the context of several matches. */
function linesOf(matches: readonly SearchMatch[]): string[] {
  const linesByNumber = new Map<number, string>();
  for (const match of matches) {
    for (const [number, text] of contextOf(match))
      linesByNumber.set(number, linesByNumber.get(number) ?? `${number}- ${text}`);
  }
  for (const { line, text } of matches) linesByNumber.set(line, `${line}: ${text}`);
  const sorted = [...linesByNumber].sort(([a], [b]) => a - b);
  return sorted.flatMap(([line, text], i) => (i > 0 && sorted[i - 1]![0] < line - 1 ? [APART, text] : [text]));
}

function callFor(args: Arguments, target: TargetTerminal, fromLine: number): string {
  const { pattern, regex, command_id: commandId, context_lines: contextLines } = args;
  const place = { ...nameOf(target), ...(commandId !== undefined && { command_id: commandId }) };
  const rest = { pattern, regex, context_lines: contextLines, from_line: fromLine };
  return JSON.stringify({ action: 'SEARCH', ...place, ...rest });
}
