/** Runs `true` repeatedly through EXEC of the tool `terminal`. */
import { performance } from 'node:perf_hooks';
import { answer, request } from '../contender.js';
import { McpAgent } from '../mcp-agent.js';
import { expectSame } from '../row.js';
import { SHELL_ENV } from '../rows/exec.js';
import type { McpRequest } from '../rows/mcp.js';

const { runs, way } = request<McpRequest>();
const agent = await McpAgent.open(way, SHELL_ENV);

async function timeOfTrue(): Promise<number> {
  const start = performance.now();
  const [, facts] = await agent.call({ command: 'true' });
  const timeMs = performance.now() - start;
  expectSame('the exit code of true', (JSON.parse(facts!) as { exit_code?: number }).exit_code, 0);
  return timeMs;
}

await timeOfTrue();
const timesMs: number[] = [];
for (let i = 0; i < runs; i++) timesMs.push(await timeOfTrue());
await agent.end();
answer(timesMs);
