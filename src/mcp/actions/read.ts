/** READ: what a terminal has printed, as much as a model is shown, and from where it is asked for. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { NO_OUTPUT } from '../../contract/output.js';
import { answer } from '../answer.js';
import type { Metadata } from '../answer.js';
import type { Call } from '../call.js';
import { factsOf, factsOfShown, factsOfTerminal, lastLineOf, textOfRunning } from '../outcome.js';
import { bufferOf, commandSource, lastCommand, show, terminalSource, WHOLE_TERMINAL } from '../source.js';
import type { Shown, Source } from '../source.js';
import { nameOf } from '../workspace.js';
import type { Target } from '../workspace.js';

export async function read(call: Call): Promise<CallToolResult> {
  const { workspace, args } = call;
  const target = await workspace.target(args);
  const shown = await show(await sourceFor(call, target), target, {
    ...{ tail: args.tail, max_tokens: args.max_tokens, fromLine: args.from_line },
  });
  const facts = await factsFor(call, target, shown);
  return answer(shown.text, { ...nameOf(target), ...facts, ...factsOfShown(shown) });
}

function sourceFor({ workspace, args }: Call, target: Target): Promise<Source> | Source {
  const { manager } = workspace;
  const { command_id: commandId } = args;
  if (commandId === WHOLE_TERMINAL) return terminalSource(manager, target.id);
  if (commandId !== undefined) return commandSource(manager, target.id, commandId);
  return bufferOf({ manager, memory: workspace.memory(target.id) }, target);
}

/** Of the command that is read; where more is read, of the last one. */
async function factsFor({ workspace }: Call, target: Target, shown: Shown): Promise<Metadata> {
  const { manager } = workspace;
  const commandId = shown.commandId || (await lastCommand(manager, target.id))?.commandId;
  if (commandId === undefined) return factsOfTerminal(await manager.get(target.id));
  const result = await manager.collect(target.id, commandId, NO_OUTPUT);
  const prompt = result.waiting && lastLineOf(shown.text);
  return factsOf(result, { prompt, target, command: await textOfRunning(manager, result) });
}
