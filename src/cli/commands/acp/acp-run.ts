/** `tenacitty acp run`: a terminal client for an ACP agent. */
import { statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { runAcpClient } from '../../../acp-client.js';
import type { AcpRunRequest, TextOutput, AgentRun } from '../../../acp-client.js';
import { resolveOptions } from '../../../config.js';
import type { Options } from '../../../config.js';
import { TerminalError } from '../../../errors.js';
import { printable } from '../../../printable.js';
import { onEndingSignal } from '../../attach/signals.js';
import type { ParsedCall } from '../../command.js';
import { exitCodeOfSignal, StdoutClosed } from '../../exit-code.js';
import { ownServer } from '../../mcp-clients/own-server.js';
import { usageError } from '../../parse.js';
import { hasColour, print, printMessage } from '../../stdout.js';
import type { ACP_RUN_FLAGS } from '../../flags/acp.js';
import { commandFormatter } from '../../command-formatter.js';

type RunCall = ParsedCall<typeof ACP_RUN_FLAGS>;
type Ends = Pick<AgentRun, 'interrupt' | 'end'>;

/** Reading from the agent pauses while at least this many characters are waiting to be written. */
const MAX_BACKLOG = 1 << 20;
const FROM_STDIN = '-';

export async function acpRun(call: RunCall): Promise<number> {
  if (call.program.length === 0) throw usageError({ name: 'acp' }, 'AGENT is missing. Usage: acp run -- AGENT.');
  checkDirectory(call.flags.cwd);
  checkQuiet(call.flags);
  const { options } = resolveOptions({ argv: call.settings, isServing: false });
  const output = new Stdout();
  const { talk: agentRun, letGo } = whatEnds(output);
  try {
    const { exitCode, message } = await runAcpClient(options, await requestOf(call, options, output, agentRun));
    await output.done();
    if (message !== '') printMessage(message);
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

/** Reads the prompt. @throws `INVALID_INPUT` if stdin is empty. */
async function promptFromStdin(): Promise<string> {
  const prompt = await text(process.stdin);
  if (prompt.trim() === '') throw usageError({ name: 'acp run' }, '--prompt: stdin is empty.');
  return prompt;
}

async function requestOf(
  { program, flags, settings }: RunCall,
  options: Options,
  output: TextOutput,
  onTalk: (agentRun: Ends) => void,
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
    output: output,
    onRun: onTalk,
    warn: printMessage,
    formatCommand: commandFormatter(options),
  };
  return request;
}

/** Returns a function that makes external events end the conversation: a signal, or the reader closing stdout. */
function whatEnds(output: Stdout): { talk: (agentRun: Ends) => void; letGo: () => void } {
  let letGo = () => {};
  const agentRun = (ends: Ends) => {
    const onInterrupt = () => ends.interrupt();
    process.on('SIGINT', onInterrupt);
    const letSignalsGo = onEndingSignal((signal) => ends.end(exitCodeOfSignal(signal)), ['SIGHUP', 'SIGTERM']);
    output.onFailure = () => ends.end(1);
    letGo = () => {
      process.off('SIGINT', onInterrupt);
      letSignalsGo();
    };
  };
  return { talk: agentRun, letGo: () => letGo() };
}

/** Writes events to stdout as they occur. Lets reading from the agent pause while stdout does not keep up. */
class Stdout implements TextOutput {
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
   * Resolves when everything has been written.
   *
   * @throws {StdoutClosed} if the reader has closed stdout.
   */
  async done(): Promise<void> {
    await this.#last;
    if (this.#error instanceof StdoutClosed || this.#error instanceof TerminalError) throw this.#error;
  }

  #failed(error: unknown): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    this.onFailure();
  }
}
