/**
 * Keeps passwords out of the hands of models: while one is asked for, text is not typed. What can be known of that is
 * asked of the system; how a prompt looks decides only whether to ask it more closely.
 */
import { NO_OUTPUT } from '../../contract/output.js';
import { looksLikePasswordPrompt } from '../../contract/password-prompt.js';
import { Advice } from '../advice.js';
import type { Arguments } from '../arguments.js';
import type { Call } from '../call.js';
import { lastLine } from '../command-wait.js';
import { passwordHint } from '../hints.js';
import type { Target } from '../workspace.js';

/** For looks to agree upon who waits. */
const CLOSER_LOOK_MS = 1000;

/**
 * @param running - The command that runs, if one is known.
 * @throws `INVALID_INPUT` if text is to be typed where a password is asked for.
 */
export async function refuseSecrets(call: Call, target: Target, running: number | undefined): Promise<void> {
  if (!typesText(call.args) || !(await isPasswordAskedFor(call, target, running))) return;
  throw new Advice('INVALID_INPUT', 'text: nothing was typed', passwordHint(target));
}

/** Keys that are characters are text. */
function typesText({ text = '', keys = [] }: Arguments): boolean {
  return text !== '' || keys.some((key) => [...key].length === 1 || key.toLowerCase() === 'space');
}

async function isPasswordAskedFor(call: Call, target: Target, running: number | undefined): Promise<boolean> {
  const { manager } = call.workspace;
  const { status, totalBytes } = await manager.get(target.id);
  if (status !== 'active') return false;
  if (call.workspace.memory(target.id).passwordAt === totalBytes) return true;
  if (running !== undefined) {
    const { waiting } = await manager.collect(target.id, running, NO_OUTPUT);
    if (waiting !== null) return waiting.kind === 'password';
  }
  if (!looksLikePasswordPrompt(await lastLine(call, target, running))) return false;
  // Where the system does not tell, nothing is known, and it is not guessed.
  const looked = await manager.wait(target.id, { input: true, timeoutMs: CLOSER_LOOK_MS }).catch(() => null);
  return looked?.waiting?.kind === 'password';
}
