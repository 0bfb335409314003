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

/** How long the code printed at startup is valid: enough time to switch to the browser. */
const CODE_VALID_MS = 600_000;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Added to the grace period of terminals, for requests in flight and for killing programs that ignore SIGTERM. */
const STOP_EXTRA_MS = 8000;
/** Time for killed processes to end, which takes a while on a busy machine. */
const FORCE_MS = 8000;

/** Resolves when the server has started. The process then runs until it is told to stop. */
export async function serve(argv: readonly string[]): Promise<void> {
  const { options, warnings } = resolveOptions({ argv, takesBareNames: true });
  for (const warning of warnings) printMessage(warning);
  const starting = startServer(options);
  // Installed first, so that a signal during startup is not lost.
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

/** Returns a link that signs in. Its code is shown only to a person, and never written to a log. */
function linkFor(url: string, { dataDir }: Options): string | undefined {
  if (!process.stdout.isTTY || !process.stderr.isTTY) return undefined;
  try {
    return signInLink(url, createCode(dataDir, CODE_VALID_MS));
  } catch {
    // Reported as a problem of the data directory.
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
    // A forced stop also lets this stop finish. The exit code is a failure whichever of the two finishes first.
    void stop(starting).then((code) => process.exit(signals > 1 ? 1 : code));
    // Start a new line after the `^C` that the terminal shows.
    writeStderr('\n');
    printMessage(stopWords(options));
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  // Closing a terminal ends the programs started in it. Without a terminal, SIGHUP means reload, as for a service.
  process.on('SIGHUP', hasControllingTerminal() ? onSignal : () => void reload(starting));
}

/**
 * Returns whether this process has a controlling terminal. Called at startup: after its terminal closes, a process no
 * longer has one.
 */
function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK));
    return true;
  } catch {
    return false;
  }
}

/** Ignores a failed start, which is reported elsewhere. */
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

/** Kills everything, so that no program is left running out of reach. */
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
