/**
 * What is told of a command, however far it is: its output, what is known of it, and what to do next. It knows no
 * action.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { CommandResult, InputWait } from '../contract/command.js';
import { answer } from './answer.js';
import type { Metadata } from './answer.js';
import type { Call } from './call.js';
import { screenText } from './screen-text.js';
import { commandSource, show } from './source.js';
import type { Shown, Source } from './source.js';
import { nameOf } from './workspace.js';
import type { Target } from './workspace.js';

/** For asking how a command goes, without its output. */
export const NO_OUTPUT = { mode: 'tail', tailLines: 0 } as const;
/** What was printed between two commands is told up to this. */
const MAX_BETWEEN_CHARS = 2000;

interface Telling {
  /** Default: the output of the command. */
  readonly source?: Source | undefined;
  /** Only what came after this. */
  readonly cursor?: string | undefined;
  readonly more?: Metadata;
}

/** Answers with the output of a command and how it goes. */
export async function tellCommand(
  call: Call,
  target: Target,
  result: CommandResult,
  { source, cursor, more = {} }: Telling = {},
): Promise<CallToolResult> {
  const { manager } = call.workspace;
  const { tail, max_tokens } = call.args;
  const shown = await show(source ?? commandSource(manager, target.id, result.commandId), target, {
    ...{ tail, max_tokens, cursor },
  });
  await remember(call, target, result, shown.commandId === result.commandId ? shown.cursor : result.cursor);
  const text = result.fullScreen ? screenText(await manager.screen(target.id)) : shown.text;
  const prompt = result.waiting === null || result.fullScreen ? null : lastLineOf(shown.text);
  return answer(text, { ...nameOf(target), ...factsOf(result, prompt, target), ...factsOfShown(shown), ...more });
}

/** What an answer shows that nobody waits for any more was not seen. */
async function remember({ workspace, caller }: Call, { id }: Target, result: CommandResult, cursor: string) {
  if (caller.signal.aborted) return;
  const memory = workspace.memory(id);
  memory.seen = { commandId: result.commandId, cursor };
  if (result.waiting?.kind === 'password') memory.passwordAt = (await workspace.manager.get(id)).totalBytes;
}

export function lastLineOf(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}

/** The seed's five fields, and what else matters. */
export function factsOf(result: CommandResult, prompt: string | null, target: Target): Metadata {
  const { exitCode, signal, cwd, durationMs, completed, commandId, state, waiting, between, shellExited } = result;
  return {
    exit_code: completed ? exitCode : null,
    ...{ signal, cwd, duration_ms: durationMs, completed, command_id: commandId },
    state: completed ? null : state,
    waiting: waiting && { kind: waiting.kind, by: waiting.by, prompt, certain: waiting.certain },
    full_screen: result.fullScreen || null,
    shell_ended: shellExited || null,
    between: between === '' ? null : between.slice(-MAX_BETWEEN_CHARS),
    hint: completed ? endHint(result) : hintFor(state, waiting, target),
  };
}

export function factsOfShown({ totalLines, leftOutLines, hasCutLine, nextLine, droppedLines }: Shown): Metadata {
  return {
    total_lines: totalLines,
    truncated: leftOutLines > 0 || hasCutLine || null,
    left_out_lines: leftOutLines || null,
    next_line: nextLine,
    dropped_lines: droppedLines || null,
  };
}

function endHint({ shellExited, via }: CommandResult): string | null {
  if (shellExited) return 'The shell has ended; the next EXEC here makes a new one.';
  return via === 'kernel' ? 'The shell was replaced by the command, so its exit code is not known.' : null;
}

/** What to do about a command that goes on. */
export function hintFor(state: CommandResult['state'], waiting: InputWait | null, target: Target): string {
  const name = JSON.stringify(nameOf(target)).slice(1, -1);
  if (state === 'nested') {
    return 'Another shell or a REPL runs in here and takes lines: INPUT text types one, SCREEN shows it; leave it before EXEC.';
  }
  if (waiting === null) {
    return `It goes on. {"action":"WAIT",${name}} waits for its end, INPUT keys ["ctrl-c"] stops it.`;
  }
  return waiting.kind === 'password' ? passwordHint(target) : WAITING_HINTS[waiting.kind];
}

export function passwordHint({ id }: Target): string {
  return (
    'A password is asked for. Do not ask the person for it and do not type it: ask them to run ' +
    `tenacitty attach ${id} and to type it there, then WAIT. INPUT keys ["ctrl-c"] gives up.`
  );
}

const WAITING_HINTS: Readonly<Record<Exclude<InputWait['kind'], 'password'>, string>> = {
  line: 'It asks for a line: INPUT text answers. INPUT keys ["ctrl-c"] gives up.',
  key: 'It asks for a key: INPUT keys answers.',
  program:
    'A program that takes keys: SCREEN shows it, INPUT keys work it. A server that also listens to keys is simply ' +
    'running: WAIT with pattern or port, or go on with another terminal.',
  unknown: 'It waits for input: SCREEN shows it, INPUT answers.',
};
