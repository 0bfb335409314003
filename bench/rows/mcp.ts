/** The cost of a command for an agent in time: EXEC of the MCP tool, over stdio and HTTP, compared with a bare loop. */
import { runContender } from '../contender.js';
import type { AgentTransport } from '../mcp-agent.js';
import { quantile, ratios } from '../numbers.js';
import { byTurns } from '../row.js';
import type { Measurement, BenchRow } from '../row.js';
import type { BareExecRequest } from './exec.js';

export interface McpRequest {
  /** How often `true` is run. */
  readonly runs: number;
  readonly way: AgentTransport;
}

const RUNS = 300;
const QUICK_RUNS = 100;

export const mcp: BenchRow = {
  name: 'mcp',
  what:
    'EXEC of `true` with the official MCP client, sequentially, over stdio and over HTTP; terminals in a host, ' +
    'with history on disk. Compared with the bare loop of the row `exec`, in the same shell, up to its prompt.',
  async measure(run) {
    const runs = run.isQuick ? QUICK_RUNS : RUNS;
    const agent = (way: AgentTransport) => () => runContender<number[]>('mcp', { runs, way } satisfies McpRequest);
    const bare = () => runContender<number[]>('exec-bare', { runs, shell: 'same' } satisfies BareExecRequest);
    const times = await byTurns(run, { bare, stdio: agent('stdio'), http: agent('http') });
    const bareMs = times.bare.map((timesMs) => quantile(timesMs, 0.5));
    return [
      { measure: '`true`, p50, bare loop, same shell', unit: 'ms', samples: bareMs },
      ...findings('stdio', times.stdio, bareMs),
      ...findings('http', times.http, bareMs),
    ];
  },
};

function findings(way: AgentTransport, times: readonly number[][], bareMs: readonly number[]): Measurement[] {
  const at = (share: number) => times.map((timesMs) => quantile(timesMs, share));
  const ratio = { measure: `EXEC true, p50, ${way} : bare loop`, unit: '×', samples: ratios(at(0.5), bareMs) };
  return [
    { measure: `EXEC true, p50, ${way}`, unit: 'ms', samples: at(0.5) },
    { measure: `EXEC true, p99, ${way}`, unit: 'ms', samples: at(0.99) },
    way === 'stdio' ? { ...ratio, goal: { atMost: 2 } } : ratio,
  ];
}
