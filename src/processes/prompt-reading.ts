/**
 * Detects whether a shell without shell integration is at its prompt. At its prompt, each shell requests input from the
 * kernel differently than its `read` does, and its line editor sets other modes. Changes nothing; independent of
 * sessions.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { readSettings } from './input-kind.js';
import { parseSyscall, syscallTable } from './syscalls.js';

/**
 * How a shell reads at its prompt, as observed. A shell that is not listed reads in the same way as its `read`, or has
 * not been observed.
 */
interface PromptHabits {
  /** Without a line editor: the number of bytes it requests in one call, which its `read` never requests. */
  readonly bytes?: number;
  /** With a line editor: the modes that the editor sets, and that no `read` that takes keys sets. */
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

/** Returns whether the way in which this shell reads at its prompt is known. */
export function knowsPrompt(pid: number): boolean {
  return Object.hasOwn(PROMPT_HABITS, programOf(pid));
}

/**
 * Determines whether the shell with this pid is at its prompt, or reads with its line editor, which may be the prompt.
 * Resolves to null if that cannot be determined. Use only for a shell that is reading.
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

/** Returns the name of the executable, not the one that the process gives itself; empty if it cannot be determined. */
function programOf(pid: number): string {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return '';
  }
}

/**
 * Returns the number of bytes that the main thread requests in a read call; null if it is in no such call, or if that
 * cannot be determined.
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
