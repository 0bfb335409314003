/** `tenacitty wait`: until the program has ended; its exit code passes through. */
import { setTimeout as pause } from 'node:timers/promises';
import type { TerminalManager } from '../../contract/manager.js';
import type { TerminalDetail } from '../../contract/terminal.js';
import type { Call } from '../command.js';
import { endingInWords, exitCodeOfProgram, TIMED_OUT } from '../exit-code.js';
import { printJson, say } from '../stdout.js';
import type { WAIT_FLAGS } from '../table/read.js';
import { findTerminal, shortId } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';

/** The longest wait of one read, as MAX_WAIT_MS in the contract says. */
const MAX_READ_WAIT_MS = 120_000;
/** A read ends with each output: a program that writes without end is looked at this often, not more. */
const PAUSE_MS = 100;

export function wait({ operands: [given], flags, settings }: Call<typeof WAIT_FLAGS>): Promise<number> {
  return withEngine(settings, async (manager) => {
    const { id } = await findTerminal(manager, given!);
    const isEnded = await waitForEnd(manager, id, flags.timeout ?? Infinity);
    const detail = await manager.get(id);
    if (flags.json) await printJson(detail);
    say(inWords(detail, isEnded));
    return isEnded ? exitCodeOfProgram(detail) : TIMED_OUT;
  });
}

/**
 * Resolves to whether the program has ended in time. It waits by reading, not by following: who waits is nobody
 * who watches, to whom the size would have to fit.
 */
async function waitForEnd(manager: TerminalManager, id: string, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  const look = { mode: 'tail', tailLines: 0 } as const;
  let page = await manager.read(id, look);
  while (page.isActive) {
    const leftMs = end - performance.now();
    if (leftMs <= 0) return false;
    const waitMs = Math.min(Math.ceil(leftMs), MAX_READ_WAIT_MS);
    page = await manager.read(id, { ...look, cursor: page.cursor, waitMs });
    if (page.isActive) await pause(Math.min(PAUSE_MS, Math.max(0, end - performance.now())));
  }
  return true;
}

function inWords({ id, status, exitCode, signal }: TerminalDetail, isEnded: boolean): string {
  const terminal = `terminal ${shortId(id)}`;
  if (!isEnded) return `${terminal} still runs`;
  if (status === 'lost') return `${terminal} is lost: how its program ended is not known`;
  return `${terminal} has ended: ${endingInWords({ exitCode, signal })}`;
}
