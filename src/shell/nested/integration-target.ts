/**
 * Finds the program that takes commands within a running command: a shell or REPL at its prompt, according to the
 * kernel. If the kernel cannot see it, for example behind a connection, looks for output that resembles a prompt. Types
 * nothing.
 */
import { readlinkSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { IntegrateRequest } from '../../contract/command.js';
import { looksLikePasswordPrompt } from '../../contract/password-prompt.js';
import { readModes, withQueriedKind } from '../../processes/input-kind.js';
import type { InputProbe } from '../../processes/input-probe.js';
import { takesTypedScript } from './inner-script.js';
import { argumentsOf, isInteractive } from './find.js';
import { trackedKind, isRepl, shellKind } from '../shells.js';
import type { TrackedKind } from '../shells.js';
import type { InputWait } from '../../contract/command.js';
import type { IntegrationTarget } from './pending-shell.js';

/** The terminal to search. */
export interface SearchedTerminal {
  /** Returns the offset after the newest byte of output. */
  outputEnd(): number;
  probe(): InputProbe;
  /** Returns the newest line of output, without escape sequences. */
  lastLine(): string;
  isFullScreen(): boolean;
  /** The shell that started the command, which is never the target. */
  readonly pid: number | null;
}

/** Why no program there can be integrated, as error text. */
export interface IntegrationObstacle {
  readonly problem: string;
  readonly waiting: InputWait | null;
  /** Whether the obstacle may go away in a moment. */
  readonly isTransient: boolean;
}

export type TargetSearch = IntegrationTarget | IntegrationObstacle;

const CHECK_INTERVAL_MS = 60;
/**
 * How long there must be no output before a prompt is accepted: one that the kernel can see, and one that it cannot.
 */
const QUIET_MS = 150;
const REMOTE_QUIET_MS = 600;
/** Number of consecutive probes that must agree. */
const AGREEING_RESULTS = 3;

/** Probes until a program can be integrated, or certainly none can. When time is up, returns the obstacle. */
export async function findIntegrationTarget(
  terminal: SearchedTerminal,
  as: RequestedKind,
  end: AbortSignal,
): Promise<TargetSearch> {
  let [outputEnd, quietSince, seen, agreeing] = [terminal.outputEnd(), performance.now(), '', 0];
  let found: TargetSearch = NOTHING_WAITS;
  while (!end.aborted) {
    if (terminal.outputEnd() !== outputEnd) [outputEnd, quietSince] = [terminal.outputEnd(), performance.now()];
    const quietMs = performance.now() - quietSince;
    if (quietMs >= QUIET_MS) {
      found = await searchOnce(terminal, as, quietMs >= REMOTE_QUIET_MS);
      const what = JSON.stringify(found);
      agreeing = what === seen ? agreeing + 1 : 1;
      seen = what;
      if (agreeing >= AGREEING_RESULTS && !('isTransient' in found && found.isTransient)) return found;
    }
    await delay(CHECK_INTERVAL_MS, undefined, { signal: end }).catch(() => undefined);
  }
  return 'problem' in found ? found : NOTHING_WAITS;
}

type RequestedKind = IntegrateRequest['as'];

const NOTHING_WAITS: IntegrationObstacle = {
  problem: 'no program there is waiting for a line at a prompt',
  waiting: null,
  isTransient: true,
};

async function searchOnce(terminal: SearchedTerminal, as: RequestedKind, isLongQuiet: boolean): Promise<TargetSearch> {
  const probe = await withQueriedKind(terminal.probe());
  const { waiting } = probe;
  if (waiting === null) return probe.isKnown || !isLongQuiet ? NOTHING_WAITS : remoteTarget(terminal, probe, as);
  if (waiting.kind === 'password') return obstacle(waiting, 'is asking for a password; type it first', false);
  if (waiting.pid === null || waiting.pid === terminal.pid) return { ...NOTHING_WAITS, waiting };
  return targetAt({ ...waiting, pid: waiting.pid }, as);
}

/** Returns the target for a process that the kernel reports as waiting, or an obstacle. */
function targetAt(waiting: InputWait & { readonly pid: number }, as: RequestedKind): TargetSearch {
  const { pid, by } = waiting;
  const kind = kindOf(pid, by, as);
  if (kind === undefined) return obstacle(waiting, 'is not a supported shell or REPL', false);
  if (!isInteractive(pid)) return obstacle(waiting, 'is running a script, which reads the input', false);
  // A line editor reads single keys; a program in line mode reads for a command that runs in it.
  const reads = waiting.kind === 'line' && as === 'auto' && hasEditor(kind);
  if (reads) return obstacle(waiting, 'is reading a line for a command that runs in it', true);
  if (sharesFiles(pid)) return { pid, by: 'file', kind };
  if (!takesTypedScript(kind))
    return obstacle(waiting, 'can be integrated only where it can read tenacitty’s files', false);
  return { pid, by: 'typing', opening: isRepl(kind) ? kind : 'sh' };
}

/** Finds the target behind a connection or in another user's program, where only the terminal itself can tell. */
async function remoteTarget(terminal: SearchedTerminal, { tty }: InputProbe, as: RequestedKind): Promise<TargetSearch> {
  if (as !== 'auto') return { pid: null, by: 'typing', opening: as };
  const modes = tty === null ? null : await readModes(tty);
  const line = terminal.lastLine();
  // The integration must not be typed into a password prompt.
  if (looksLikePasswordPrompt(line))
    return { ...NOTHING_WAITS, problem: 'the last line looks like a password prompt; type the password first' };
  const isAtPrompt = modes?.isByLine === false && line.trim() !== '' && !terminal.isFullScreen();
  return isAtPrompt ? { pid: null, by: 'typing', opening: 'sh' } : NOTHING_WAITS;
}

function obstacle(waiting: InputWait, what: string, isTransient: boolean): IntegrationObstacle {
  return { problem: `${waiting.by} ${what}`, waiting, isTransient };
}

function kindOf(pid: number, name: string, as: RequestedKind): TrackedKind | undefined {
  if (as === 'python' || as === 'node') return as;
  const known = name === 'busybox' ? shellKind(argumentsOf(pid)[0] ?? '') : trackedKind(name);
  return as === 'sh' && (known === undefined || isRepl(known)) ? 'sh' : known;
}

function hasEditor(kind: TrackedKind): boolean {
  return kind === 'bash' || kind === 'zsh' || kind === 'fish' || kind === 'node';
}

/** Returns whether a process can read our files under the same paths: same user, group, mount namespace and root. */
function sharesFiles(pid: number): boolean {
  try {
    const isSame = (what: string): boolean =>
      readlinkSync(`/proc/${pid}/${what}`) === readlinkSync(`/proc/self/${what}`);
    const { uid, gid } = statSync(`/proc/${pid}`);
    return uid === process.getuid?.() && gid === process.getgid?.() && isSame('ns/mnt') && isSame('root');
  } catch {
    return false;
  }
}
