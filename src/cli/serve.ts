/** `tenacitty serve`: starts the server, reports its address, and stops it on a signal. */
import { closeSync, constants, openSync } from 'node:fs';
import { createCode } from '../access/sign-in-codes.js';
import { resolveOptions } from '../config.js';
import { placeProblems } from '../config/place.js';
import type { Options } from '../config.js';
import { commandName } from '../command-name.js';
import { printableLines } from '../printable.js';
import { startServer } from '../server.js';
import type { RunningServer } from '../server.js';
import { writeStderr } from '../stderr.js';
import { banner } from './banner.js';
import { explainListenError } from './listen-error.js';
import { signInLink } from './sign-in-link.js';
import { printMessage } from './stdout.js';

/** How long the code that is printed at startup is valid: enough time to switch to the browser. */
const CODE_VALID_MS = 600_000;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/**
 * Time to stop in addition to the grace period of terminals, for requests in progress and for killing programs that
 * ignore SIGTERM.
 */
const STOP_EXTRA_MS = 8000;
/** Time for killed processes to end, which can take a while on a busy machine. */
const FORCE_MS = 8000;

/** Resolves when the server has started. The process then runs until a signal stops it. */
export async function serve(argv: readonly string[]): Promise<void> {
  const { options, warnings } = resolveOptions({ argv, takesBareNames: true });
  for (const warning of warnings) printMessage(warning);
  const starting = startServer(options);
  // Installed before startup is awaited, so that a signal during startup is not lost.
  stopOnSignal(starting, options);
  const server = await starting.catch((error: unknown) => {
    throw explainListenError(error, options);
  });
  const problems = Object.values(placeProblems(options)).filter((each) => each !== undefined);
  const text = banner(
    server.url,
    options,
    { pid: process.pid, command: commandName() },
    problems,
    linkFor(server.url, options),
  );
  writeStderr(printableLines(text));
}

/**
 * Returns a link that signs in; undefined if stdout or stderr is not a terminal, because the code in the link must be
 * shown only to a person and never end up in a log.
 */
function linkFor(url: string, { dataDir }: Options): string | undefined {
  if (!process.stdout.isTTY || !process.stderr.isTTY) return undefined;
  try {
    return signInLink(url, createCode(dataDir, CODE_VALID_MS));
  } catch {
    // The cause is reported as a problem with the data directory.
    return undefined;
  }
}

function stopOnSignal(starting: Promise<RunningServer>, options: Options): void {
  let signals = 0;
  const onSignal = () => {
    signals++;
    if (signals === 2) void force(starting);
    if (signals > 2) process.exit(1);
    if (signals > 1) return;
    setTimeout(() => giveUp(), options.engine.killGraceMs + STOP_EXTRA_MS).unref();
    // If a second signal forces the stop, this one finishes too. The exit code is then a failure, whichever of the two
    // finishes first.
    void stop(starting).then((code) => process.exit(signals > 1 ? 1 : code));
    // Starts a new line after the `^C` that the terminal shows.
    writeStderr('\n');
    printMessage(stopWords(options));
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  // SIGHUP from a terminal means that the terminal was closed, which ends the programs in it. Without a terminal,
  // SIGHUP means reload, as usual for a service.
  process.on('SIGHUP', hasControllingTerminal() ? onSignal : () => void reload(starting));
}

/**
 * Returns whether this process has a controlling terminal. Call this at startup: once the terminal has closed, the
 * process no longer has one.
 */
function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK));
    return true;
  } catch {
    return false;
  }
}

/** Reloads the server. Does nothing if the start failed, which is reported elsewhere. */
async function reload(starting: Promise<RunningServer>): Promise<void> {
  const server = await starting.catch(() => undefined);
  server?.reload();
}

function stopWords({ persistent }: Options): string {
  if (!persistent) return 'ending all terminals; a second time forces it';
  const command = commandName();
  return `stopping; terminals keep running (to list them: ${command} ls; to end them: ${command} kill --all)`;
}

/** Resolves with the exit code; never rejects. */
async function stop(starting: Promise<RunningServer>): Promise<number> {
  try {
    await (await starting).close();
    return 0;
  } catch (error) {
    printMessage(`stopping failed: ${String(error)}`);
    return 1;
  }
}

/** Kills all programs that would otherwise be left running out of reach, and exits. */
async function force(starting: Promise<RunningServer>): Promise<void> {
  setTimeout(() => process.exit(1), FORCE_MS);
  try {
    await (await starting).force();
  } finally {
    process.exit(1);
  }
}

function giveUp(): void {
  printMessage('stopping took too long and was aborted');
  process.exit(1);
}
