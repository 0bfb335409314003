/** `tenacitty acp run`: a client in the terminal for an agent that speaks ACP. */
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

/** More is read of the agent when less than this waits to be written. */
const MAX_BACKLOG = 1 << 20;
const FROM_STDIN = '-';

export async function acpRun(call: RunCall): Promise<number> {
  if (call.program.length === 0) throw usageError({ name: 'acp' }, 'acp run: which agent? Give it behind --.');
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
  throw usageError({ name: 'acp run' }, `--cwd: there is no directory ${printable(cwd)}.`);
}

function checkQuiet({ quiet, json, prompt }: RunCall['flags']): void {
  if (quiet && json) throw usageError({ name: 'acp run' }, 'Give either --quiet or --json.');
  if (quiet && prompt === undefined) throw usageError({ name: 'acp run' }, '--quiet is for --prompt.');
}

/** Nothing is no prompt, as with --prompt ''. */
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

/** What ends the talk from without: signals, and a reader that is gone. */
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

/** Stdout, written to as things happen; what is read of the agent is held back while it does not keep up. */
class Stdout implements Paper {
  /** Settled when the last write is. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #error: unknown;
  /** Told of the first write that fails. */
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

  /** Resolves when all is written. @throws {ReaderGone} if nobody reads it. */
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
