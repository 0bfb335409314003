/** A client's terminals for an ACP agent: runs `true` repeatedly, then one command that prints much. */
import { performance } from 'node:perf_hooks';
import { answer, request } from '../contender.js';
import { AcpTerminals } from '../engine.js';
import { openEngine } from '../hosts.js';
import { PipeTerminals } from '../reference/pipe-terminals.js';
import { expectSame } from '../row.js';
import { KEPT_BYTES, OUTPUT_BYTES } from '../rows/acp.js';
import type { AcpAnswer, AcpRequest } from '../rows/acp.js';

const sessionId = 'bench';
const LINE = '0123456789abcdefghijklmnopqrstuvwxyz';

const { runs, where } = request<AcpRequest>();
const engine = where === 'pipes' ? null : openEngine(where);
const terminals = engine === null ? new PipeTerminals() : new AcpTerminals({ manager: engine.manager });

/** Sends all requests that an agent makes for a command. */
async function run(command: string, args: string[]): Promise<{ timeMs: number; output: string }> {
  const start = performance.now();
  const { terminalId } = await terminals.createTerminal({ sessionId, command, args, outputByteLimit: KEPT_BYTES });
  const { exitCode } = await terminals.waitForTerminalExit({ sessionId, terminalId });
  const { output } = await terminals.terminalOutput({ sessionId, terminalId });
  await terminals.releaseTerminal({ sessionId, terminalId });
  const timeMs = performance.now() - start;
  expectSame(`the exit code of ${command}`, exitCode, 0);
  return { timeMs, output };
}

// `true` takes no arguments, but with one, it runs as a program rather than as a line for a shell.
const runTrue = () => run('true', ['-']);
await runTrue();
const shortMs: number[] = [];
for (let i = 0; i < runs; i++) shortMs.push((await runTrue()).timeMs);
const { timeMs: outputMs, output } = await run('sh', ['-c', `yes ${LINE} | head -c ${OUTPUT_BYTES}`]);
const whole = `${LINE}\n`.repeat(Math.ceil(OUTPUT_BYTES / (LINE.length + 1))).slice(0, OUTPUT_BYTES);
if (!output.endsWith(whole.slice(-KEPT_BYTES))) throw new Error('the end of the output is wrong');
await engine?.end();
answer({ shortMs, outputMs } satisfies AcpAnswer);
