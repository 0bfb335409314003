/**
 * Keeps passwords away from models by typing no text while a program is asking for one. The kernel's information
 * decides; the appearance of a prompt only determines whether to probe further.
 */
import { NO_OUTPUT } from '../../contract/output.js';
import { looksLikePasswordPrompt } from '../../contract/password-prompt.js';
import { AdvisedError } from '../advised-error.js';
import type { Arguments } from '../arguments.js';
import type { ActionCall } from '../call.js';
import { lastLine } from '../command-wait.js';
import { passwordHint } from '../hints.js';
import type { TargetTerminal } from '../workspace.js';

/** Time for several probes to agree that a program is waiting. */
const CLOSER_LOOK_MS = 1000;

/**
 * Refuses to type text at a password prompt.
 *
 * @param running - The running command, if known.
 * @throws `INVALID_INPUT` if text would be typed at a password prompt.
 */
export async function refuseSecrets(
  call: ActionCall,
  target: TargetTerminal,
  running: number | undefined,
): Promise<void> {
  if (!typesText(call.args) || !(await isPasswordAskedFor(call, target, running))) return;
  throw new AdvisedError('INVALID_INPUT', 'text: nothing was typed', passwordHint(target));
}

/** Returns whether the input contains text. Keys that are characters count as text. */
function typesText({ text = '', keys = [] }: Arguments): boolean {
  return text !== '' || keys.some((key) => [...key].length === 1 || key.toLowerCase() === 'space');
}

async function isPasswordAskedFor(
  call: ActionCall,
  target: TargetTerminal,
  running: number | undefined,
): Promise<boolean> {
  const { manager } = call.workspace;
  const { status, totalBytes } = await manager.get(target.id);
  if (status !== 'active') return false;
  if (call.workspace.memory(target.id).passwordAt === totalBytes) return true;
  if (running !== undefined) {
    const { waiting } = await manager.collect(target.id, running, NO_OUTPUT);
    if (waiting !== null) return waiting.kind === 'password';
  }
  if (!looksLikePasswordPrompt(await lastLine(call, target, running))) return false;
  // If the system cannot tell, this does not guess.
  const looked = await manager.wait(target.id, { input: true, timeoutMs: CLOSER_LOOK_MS }).catch(() => null);
  return looked?.waiting?.kind === 'password';
}
