/** `tenacitty serve`: starts the server, says where it is, and stops it on a signal. */
import { closeSync, constants, openSync } from 'node:fs';
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
import { say } from './stdout.js';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Beyond the grace that terminals are given: requests in flight, and the end of what ignores SIGTERM. */
const STOP_EXTRA_MS = 8000;
/** For the end of what was killed, which on a busy machine takes its time. */
const FORCE_MS = 8000;

/** Resolves when the server has started; the process then lives until it is told to stop. */
export async function serve(argv: readonly string[]): Promise<void> {
  const { options, warnings } = resolveOptions({ argv, takesBareNames: true });
  for (const warning of warnings) say(warning);
  const starting = startServer(options);
  // From the first moment on, so that a signal during the start is not lost.
  stopOnSignal(starting, options);
  const server = await starting.catch((error: unknown) => {
    throw explainListenError(error, options);
  });
  const problems = Object.values(placeProblems(options)).filter((each) => each !== undefined);
  const text = banner(server.url, options, { pid: process.pid, command: commandName() }, problems);
  writeStderr(printableLines(text));
}

function stopOnSignal(starting: Promise<RunningServer>, options: Options): void {
  let signals = 0;
  const onSignal = () => {
    signals++;
    if (signals === 2) void force(starting);
    if (signals > 2) process.exit(1);
    if (signals > 1) return;
    setTimeout(() => giveUp(), options.engine.killGraceMs + STOP_EXTRA_MS).unref();
    // A forced stop makes this one end too; it is a failure whichever of the two is done first.
    void stop(starting).then((code) => process.exit(signals > 1 ? 1 : code));
    // Behind the `^C` that the terminal shows.
    writeStderr('\n');
    say(stopWords(options));
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  // A terminal that is closed ends what was started in it; where there is none, SIGHUP means what it means to a service.
  process.on('SIGHUP', hasControllingTerminal() ? onSignal : () => void reload(starting));
}

/** Asked at the start: once its terminal is closed, a process has none any more. */
function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK));
    return true;
  } catch {
    return false;
  }
}

/** A start that fails is told elsewhere. */
async function reload(starting: Promise<RunningServer>): Promise<void> {
  const server = await starting.catch(() => undefined);
  server?.reload();
}

function stopWords({ persistent }: Options): string {
  if (!persistent) return 'ending all terminals; once more to force it';
  const command = commandName();
  return `stopping; terminals go on (${command} ls; to end them: ${command} kill --all)`;
}

/** Resolves to the exit code, never rejects. */
async function stop(starting: Promise<RunningServer>): Promise<number> {
  try {
    await (await starting).close();
    return 0;
  } catch (error) {
    say(`the stop failed: ${String(error)}`);
    return 1;
  }
}

/** No program is left running that nobody can reach any more. */
async function force(starting: Promise<RunningServer>): Promise<void> {
  setTimeout(() => process.exit(1), FORCE_MS);
  try {
    await (await starting).force();
  } finally {
    process.exit(1);
  }
}

function giveUp(): void {
  say('the stop took too long and was cut short');
  process.exit(1);
}
