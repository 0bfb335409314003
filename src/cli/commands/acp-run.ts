/** `tenacitty acp run`: a terminal client for an ACP agent. */
import { statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { runAcpClient } from '../../acp-client.js';
import type { AcpRunRequest, Paper, Talk } from '../../acp-client.js';
import { resolveOptions } from '../../config.js';
import type { Options } from '../../config.js';
import { TerminalError } from '../../errors.js';
import { printable } from '../../printable.js';
import { onLeavingSignal } from '../attach/signals.js';
import type { Call } from '../command.js';
import { exitCodeOfSignal, ReaderGone } from '../exit-code.js';
import { ownServer } from '../mcp-clients/own-server.js';
import { usageError } from '../parse.js';
import { hasColour, print, say } from '../stdout.js';
import type { ACP_RUN_FLAGS } from '../flags/acp.js';
import { typedFor } from '../typed.js';

type RunCall = Call<typeof ACP_RUN_FLAGS>;
type Ends = Pick<Talk, 'interrupt' | 'end'>;

/** Reading from the agent pauses while at least this many bytes wait to be written. */
const MAX_BACKLOG = 1 << 20;
const FROM_STDIN = '-';

export async function acpRun(call: RunCall): Promise<number> {
  if (call.program.length === 0) throw usageError({ name: 'acp' }, 'AGENT is missing. Usage: acp run -- AGENT.');
  checkDirectory(call.flags.cwd);
  checkQuiet(call.flags);
  const { options } = resolveOptions({ argv: call.settings, isServing: false });
  const paper = new Stdout();
  const { talk, letGo } = whatEnds(paper);
  try {
    const { exitCode, message } = await runAcpClient(options, await requestOf(call, options, paper, talk));
    await paper.done();
    if (message !== '') say(message);
    return exitCode;
  } finally {
    letGo();
  }
}

function checkDirectory(cwd: string | undefined): void {
  if (cwd === undefined || statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return;
  throw usageError({ name: 'acp run' }, `--cwd: the directory ${printable(cwd)} does not exist.`);
}

function checkQuiet({ quiet, json, prompt }: RunCall['flags']): void {
  if (quiet && json) throw usageError({ name: 'acp run' }, 'Give either --quiet or --json.');
  if (quiet && prompt === undefined) throw usageError({ name: 'acp run' }, '--quiet requires --prompt.');
}

/** Empty input means no prompt, as with --prompt ''. */
async function promptFromStdin(): Promise<string> {
  const prompt = await text(process.stdin);
  if (prompt.trim() === '') throw usageError({ name: 'acp run' }, '--prompt: stdin is empty.');
  return prompt;
}

async function requestOf(
  { program, flags, settings }: RunCall,
  options: Options,
  paper: Paper,
  onTalk: (talk: Ends) => void,
) {
  const { prompt, yes, cwd = process.cwd(), session = null, auth = null, timeout = null, mcp, json, quiet } = flags;
  const request: AcpRunRequest = {
    argv: program,
    cwd,
    env: process.env,
    isGranting: yes,
    sessionId: session,
    auth,
    timeoutMs: timeout,
    mcpServers: mcp ? [{ ...ownServer(settings, options), env: [] }] : [],
    prompt: prompt === FROM_STDIN ? await promptFromStdin() : (prompt ?? null),
    streams: { input: process.stdin, output: json ? process.stderr : process.stdout },
    isJson: json,
    isQuiet: quiet,
    hasColour: hasColour(),
    paper,
    onTalk,
    aside: say,
    typed: typedFor(options),
  };
  return request;
}

/** Ends the conversation on outside events: signals, and a stdout reader that has gone. */
function whatEnds(paper: Stdout): { talk: (talk: Ends) => void; letGo: () => void } {
  let letGo = () => {};
  const talk = (ends: Ends) => {
    const onInterrupt = () => ends.interrupt();
    process.on('SIGINT', onInterrupt);
    const letSignalsGo = onLeavingSignal((signal) => ends.end(exitCodeOfSignal(signal)), ['SIGHUP', 'SIGTERM']);
    paper.onFailure = () => ends.end(1);
    letGo = () => {
      process.off('SIGINT', onInterrupt);
      letSignalsGo();
    };
  };
  return { talk, letGo: () => letGo() };
}

/** Writes to stdout as events happen. Reading from the agent pauses while stdout does not keep up. */
class Stdout implements Paper {
  /** Settles with the last write. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #error: unknown;
  /** Called when a write fails for the first time. */
  onFailure: () => void = () => {};

  write(written: string): void {
    this.#waiting += written.length;
    this.#last = print(written)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => (this.#waiting -= written.length));
  }

  async ready(): Promise<void> {
    if (this.#waiting > MAX_BACKLOG) await this.#last;
  }

  /**
   * Resolves when everything is written.
   *
   * @throws {ReaderGone} if the reader has gone.
   */
  async done(): Promise<void> {
    await this.#last;
    if (this.#error instanceof ReaderGone || this.#error instanceof TerminalError) throw this.#error;
  }

  #failed(error: unknown): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    this.onFailure();
  }
}
