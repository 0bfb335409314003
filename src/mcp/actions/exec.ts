/** EXEC: a command in the shell of a terminal, which is made where there is none. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ExecCommand } from '../../contract/command.js';
import { NO_OUTPUT } from '../../contract/output.js';
import { TerminalError } from '../../errors.js';
import type { ErrorCode } from '../../errors.js';
import { Advice } from '../advice.js';
import { needed } from '../arguments.js';
import type { Arguments } from '../arguments.js';
import type { Call } from '../call.js';
import { hintFor } from '../hints.js';
import { longestWait, untilDone, untilSilent } from '../command-wait.js';
import { leadsToPrompt } from '../connection.js';
import { goingOn, tellCommand } from '../outcome.js';
import { bufferOf } from '../source.js';
import type { Opened } from '../numbers.js';
import { enterWithin } from '../within.js';
import type { Target } from '../workspace.js';

/** How long a shell is given to come to its first prompt, though nobody wants to wait for the command. */
const START_MS = 10_000;
const MAX_SHOWN_COMMAND = 200;
const GONE: readonly ErrorCode[] = ['TERMINAL_INACTIVE', 'TERMINAL_NOT_FOUND'];

export async function exec(call: Call): Promise<CallToolResult> {
  const { workspace, args } = call;
  const command = needed(args, 'command', 'the command to run, as {"command":"ls -la"}');
  const waitMs = longestWait(call);
  const deadline = performance.now() + waitMs;
  const request = { command, detach: true, timeoutMs: Math.max(waitMs, START_MS), ...NO_OUTPUT };
  const { target, note, commandId } = await begin(call, request);
  const memory = workspace.memory(target.id);
  if (args.clear ?? true) memory.bufferFrom = commandId;
  const until = leadsToPrompt(command) ? untilSilent : untilDone;
  const result = await until(call, target, commandId, deadline);
  const source = args.clear === false ? await bufferOf({ manager: workspace.manager, memory }, target) : undefined;
  return tellCommand(call, target, result, { source, more: { note } });
}

/** Another shell will do as well. */
function mayBeNew({ id, within }: Arguments): boolean {
  return id === undefined && within === undefined;
}

interface Begun {
  readonly target: Target;
  readonly note: string | null;
  readonly commandId: number;
}

/** A shell that ends at this moment is replaced as one that had ended before. */
async function begin(call: Call, request: ExecCommand, isAgain = false): Promise<Begun> {
  const { target, note } = await targetFor(call);
  try {
    const { commandId } = await call.workspace.manager.exec(target.id, request, { signal: call.caller.signal });
    return { target, note, commandId };
  } catch (error) {
    const isGone = error instanceof TerminalError && GONE.includes(error.code);
    if (isGone && !isAgain && mayBeNew(call.args)) return begin(call, request, true);
    return refuse(call, target, error);
  }
}

async function targetFor(call: Call): Promise<{ target: Target; note: string | null }> {
  const { workspace, args } = call;
  if (args.within !== undefined) return { target: await enterWithin(call), note: null };
  if (args.id !== undefined) return { target: await workspace.target(args), note: null };
  const { terminal: number = 0 } = args;
  const opened = await workspace.numbers.open(number, call.caller.signal);
  const { id } = opened.terminal;
  return { target: workspace.numbered(id, number), note: noteOf(opened, number) };
}

function noteOf({ isNew, ended, insteadOf, terminal }: Opened, number: number): string | null {
  if (!isNew) return null;
  const how = ended?.status === 'lost' ? 'was lost' : 'had ended';
  const notes = [
    ended &&
      `The shell of terminal ${number} ${how}: this is a new one, in its first directory. The old one: id ${ended.id}.`,
    insteadOf && `Commands are run by ${terminal.shell}: those of ${insteadOf} cannot be followed.`,
  ];
  return notes.filter(Boolean).join(' ') || null;
}

/** Says what keeps a terminal busy, since when, and what can be done. */
async function refuse({ workspace }: Call, target: Target, error: unknown): Promise<never> {
  if (!(error instanceof TerminalError) || error.code !== 'TERMINAL_BUSY') throw error;
  const { commandId } = error.details;
  if (typeof commandId !== 'number') throw error;
  const { text, started } = await workspace.manager.command(target.id, commandId);
  const result = await goingOn(workspace, target.id, commandId);
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(started)) / 1000));
  const name = target.number === null ? `Terminal ${target.id}` : `Terminal ${target.number}`;
  const shown = text.length > MAX_SHOWN_COMMAND ? `${text.slice(0, MAX_SHOWN_COMMAND)}…` : text;
  throw new Advice(
    'TERMINAL_BUSY',
    `${name} is busy: command ${commandId} has been running for ${seconds} s: ${shown}`,
    `Nothing was run; another terminal number is free for it. ${hintFor(result, text, target)}`,
  );
}
