/** READ: returns the output of a terminal from a given line on, limited to what a model is shown. */
import { answer } from '../answer.js';
import type { ToolAnswer, Metadata } from '../answer.js';
import type { ActionCall } from '../call.js';
import {
  factsOf,
  factsOfEnd,
  factsOfShown,
  factsOfTerminal,
  currentResult,
  promptOf,
  textOfRunning,
} from '../outcome.js';
import { bufferOf, commandSource, lastCommand, readExcerpt, terminalSource, WHOLE_TERMINAL } from '../source.js';
import type { ShownExcerpt, ReadSource } from '../source.js';
import { nameOf } from '../workspace.js';
import type { TargetTerminal } from '../workspace.js';

export async function read(call: ActionCall): Promise<ToolAnswer> {
  const { workspace, args } = call;
  const target = await workspace.target(args);
  const shown = await readExcerpt(await sourceFor(call, target), target, {
    ...{ tail: args.tail, max_tokens: args.max_tokens, fromLine: args.from_line },
  });
  const facts = await factsFor(call, target, shown);
  return answer(textOf(shown), { ...nameOf(target), ...facts, ...factsOfShown(shown) });
}

/**
 * Returns the text to show. If the requested range starts after the last line, the text says so, unlike for a terminal
 * without output.
 */
function textOf({ text, shownLines, leftOutLines, totalLines, fromLine }: ShownExcerpt): string {
  if (shownLines + leftOutLines > 0 || totalLines === 0) return text;
  return `(no lines from ${fromLine} on; total_lines is ${totalLines})`;
}

function sourceFor({ workspace, args }: ActionCall, target: TargetTerminal): Promise<ReadSource> | ReadSource {
  const { manager } = workspace;
  const { command_id: commandId } = args;
  if (commandId === WHOLE_TERMINAL) return terminalSource(manager, target.id);
  if (commandId !== undefined) return commandSource(manager, target.id, commandId);
  return bufferOf(workspace, target);
}

/** Returns the facts about the command that was read or, if more than one command was read, about the last one. */
async function factsFor(call: ActionCall, target: TargetTerminal, shown: ShownExcerpt): Promise<Metadata> {
  const { workspace } = call;
  const { manager } = workspace;
  const commandId = shown.commandId || (await lastCommand(manager, target.id))?.commandId;
  if (commandId === undefined) return factsOfTerminal(manager, target.id);
  const result = await currentResult(workspace, target.id, commandId);
  const prompt = await promptOf(call, target, result);
  const facts = factsOf(result, { prompt, target, command: await textOfRunning(manager, result) });
  return { ...facts, ...(await factsOfEnd(workspace, result)) };
}
