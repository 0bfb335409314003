/** Runs commands through `exec` in a bash: a short one repeatedly, one of 100 KB, and one that prints 100,000 lines. */
import { performance } from 'node:perf_hooks';
import { answer, request } from '../contender.js';
import { openEngine } from '../hosts.js';
import { expectSame } from '../row.js';
import { LINES, LONG_COMMAND_CHARS, SHELL_ENV } from '../rows/exec.js';
import type { ExecAnswer, EngineExecRequest } from '../rows/exec.js';

const { runs, where } = request<EngineExecRequest>();
const { manager, end } = openEngine(where);
const { id } = await manager.create({ shell: '/bin/bash', env: SHELL_ENV });

/** Runs a command to its end; resolves with its duration. */
async function timeOf(command: string, output: string): Promise<number> {
  const start = performance.now();
  const result = await manager.exec(id, { command, tailLines: 1, mode: 'tail' });
  const timeMs = performance.now() - start;
  expectSame(`the result of ${command.slice(0, 20)}`, [result.exitCode, result.output], [0, output]);
  return timeMs;
}

await timeOf('true', '');
const shortMs: number[] = [];
for (let i = 0; i < runs; i++) shortMs.push(await timeOf('true', ''));
const longMs = await timeOf(`: '${'x'.repeat(LONG_COMMAND_CHARS)}'; echo done`, 'done');
const linesMs = await timeOf(`seq ${LINES}`, String(LINES));
await end();
answer({ shortMs, longMs, linesMs } satisfies ExecAnswer);
