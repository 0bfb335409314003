/**
 * What a shell does that reads the terminal itself and says nothing of it: at its prompt each asks the kernel for input in
 * another way than its `read` does, and its line editor sets other modes. It changes nothing, and knows no session.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { readSettings } from './input-kind.js';
import { parseSyscall, syscallTable } from './syscalls.js';

/** How one reads at its prompt, as it was seen; what is not named here looks as its `read` does, or was not seen. */
interface Habits {
  /** Without a line editor: in one call so many bytes, which its `read` never asks for. */
  readonly bytes?: number;
  /** With one: the modes that are set then, and by no `read` that takes keys. */
  readonly modes?: readonly string[];
  /** Whether nothing but the prompt uses the line editor. */
  readonly isPromptAlone?: boolean;
}

const RAW = ['-icanon', '-echo', 'opost'];
const HABITS: Readonly<Record<string, Habits>> = {
  bash: { bytes: 1024, modes: [...RAW, '-icrnl'] },
  zsh: { modes: [...RAW, 'inlcr'] },
  dash: { bytes: 8192 },
  busybox: { modes: [...RAW, '-isig', 'icrnl'], isPromptAlone: true },
  mksh: { modes: [...RAW, '-isig', '-icrnl'], isPromptAlone: true },
};

/**
 * Whether the shell of this process is at its prompt, or reads with its line editor, which may be that; null where that
 * cannot be told. To be asked of one that is seen to read.
 *
 * @param tty - Path of its terminal.
 */
export async function ownReading(pid: number, tty: string | null): Promise<'prompt' | 'editor' | null> {
  const { bytes, modes, isPromptAlone = false } = HABITS[programOf(pid)] ?? {};
  if (bytes !== undefined && bytesAskedFor(pid) === bytes) return 'prompt';
  const settings = modes === undefined || tty === null ? null : await readSettings(tty);
  if (settings === null || !modes!.every((mode) => settings.has(mode))) return null;
  return isPromptAlone ? 'prompt' : 'editor';
}

/** Name of the program, whatever it calls itself; empty where that may not be known. */
function programOf(pid: number): string {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return '';
  }
}

/** How many bytes its main thread waits for in a call that reads; null: it is in none, or that may not be known. */
function bytesAskedFor(pid: number): number | null {
  try {
    const syscall = parseSyscall(readFileSync(`/proc/${pid}/syscall`, 'utf8'));
    const isRead = syscall !== null && syscallTable()?.waits.get(syscall.number) === 'read';
    return isRead ? Number(syscall.args[2]) : null;
  } catch {
    return null;
  }
}
