/**
 * Detects whether a shell without shell integration is at its prompt. There, a shell requests input from the kernel in
 * a different way from its `read`, and its line editor sets different modes. Changes nothing.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { readSettings } from './input-kind.js';
import { parseSyscall, syscallTable } from './syscalls.js';

/**
 * How a shell was observed to read at its prompt. A shell that is not listed reads as its `read` does, or has not been
 * observed.
 */
interface PromptHabits {
  /**
   * Without a line editor: the number of bytes that the shell requests in one call. Its `read` never requests this
   * number.
   */
  readonly bytes?: number;
  /** With a line editor: modes that the editor sets, in a combination that no `read` for single keys sets. */
  readonly modes?: readonly string[];
  /** Whether the shell uses the line editor only at its prompt. */
  readonly isPromptAlone?: boolean;
}

const RAW = ['-icanon', '-echo', 'opost'];
const PROMPT_HABITS: Readonly<Record<string, PromptHabits>> = {
  bash: { bytes: 1024, modes: [...RAW, '-icrnl'] },
  zsh: { modes: [...RAW, 'inlcr'] },
  dash: { bytes: 8192 },
  busybox: { modes: [...RAW, '-isig', 'icrnl'], isPromptAlone: true },
  mksh: { modes: [...RAW, '-isig', '-icrnl'], isPromptAlone: true },
};

/** Returns whether it is known how this shell reads at its prompt. */
export function knowsPrompt(pid: number): boolean {
  return Object.hasOwn(PROMPT_HABITS, programOf(pid));
}

/**
 * Determines whether the shell with this pid is at its prompt, or is reading with its line editor, which can also be
 * elsewhere than at the prompt. Resolves to null if neither can be determined. Use this only for a shell that is
 * reading.
 *
 * @param tty - Path of its terminal.
 */
export async function promptReading(pid: number, tty: string | null): Promise<'prompt' | 'editor' | null> {
  const { bytes, modes, isPromptAlone = false } = PROMPT_HABITS[programOf(pid)] ?? {};
  if (bytes !== undefined && bytesAskedFor(pid) === bytes) return 'prompt';
  const settings = modes === undefined || tty === null ? null : await readSettings(tty);
  if (settings === null || !modes!.every((mode) => settings.has(mode))) return null;
  return isPromptAlone ? 'prompt' : 'editor';
}

/** Returns the name of the executable, not the name that the process gives itself; empty if it cannot be determined. */
function programOf(pid: number): string {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return '';
  }
}

/**
 * Returns the number of bytes that the main thread is requesting in a read call; null if it is not in such a call, or
 * if that cannot be determined.
 */
function bytesAskedFor(pid: number): number | null {
  try {
    const syscall = parseSyscall(readFileSync(`/proc/${pid}/syscall`, 'utf8'));
    const isRead = syscall !== null && syscallTable()?.waits.get(syscall.number) === 'read';
    return isRead ? Number(syscall.args[2]) : null;
  } catch {
    return null;
  }
}
