/** The cost for agents in tokens: of the tool's description, and of reading what programs print. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { agentOutputs } from '../inputs/agent-outputs.js';
import { McpAgent } from '../mcp-agent.js';
import { find, PEERS, showAll } from '../peers.js';
import type { ComparedServer } from '../peers.js';
import type { Measurement, BenchRow, BenchRun } from '../row.js';

const MAX_TOOL_TOKENS = 900;

export const mcpTokens: BenchRow = {
  name: 'mcp-tokens',
  what:
    'Tokens (o200k) of the tool definition as listed, and of the complete EXEC responses for programs that ' +
    'print terminal output, compared with the tokens of the raw bytes. With `--peers`, also the responses of ' +
    'other servers to equivalent calls. No times are measured: one round.',
  async measure(run) {
    const agent = await McpAgent.open('stdio');
    const directory = mkdtempSync(join(tmpdir(), 'tenacitty-bench-'));
    try {
      const { tools } = await agent.client.listTools();
      const listed = tokensOf(JSON.stringify(tools));
      const findings: Measurement[] = [
        { measure: 'tools/list', unit: 'tokens', samples: [listed], goal: { atMost: MAX_TOOL_TOKENS } },
      ];
      const outputs = Object.entries(agentOutputs()).map(([name, text], i) => printed(directory, i, name, text));
      for (const output of outputs) findings.push(...(await read(agent, output)));
      for (const peer of run.withPeers ? PEERS : []) findings.push(...(await readByPeer(peer, outputs, run)));
      return findings;
    } finally {
      rmSync(directory, { recursive: true });
      await agent.end();
    }
  },
};

interface Printed {
  readonly name: string;
  /** The command that prints the text. */
  readonly command: string;
  readonly rawTokens: number;
}

/** Writes the text without its carriage returns, which the terminal inserts again. */
function printed(directory: string, i: number, name: string, text: string): Printed {
  const file = join(directory, `output-${i}`);
  writeFileSync(file, text.replaceAll('\r\n', '\n'));
  return { name, command: `cat ${file}`, rawTokens: tokensOf(text) };
}

async function read(agent: McpAgent, { name, command, rawTokens: raw }: Printed): Promise<Measurement[]> {
  const told = tokensOf((await agent.call({ command })).join('\n'));
  return [
    { measure: `${name}: as it is`, unit: 'tokens', samples: [raw] },
    { measure: `${name}: EXEC`, unit: 'tokens', samples: [told] },
    { measure: `${name}: EXEC : as it is`, unit: '×', samples: [told / raw] },
  ];
}

async function readByPeer(peer: ComparedServer, outputs: readonly Printed[], run: BenchRun): Promise<Measurement[]> {
  const program = find(peer);
  if (program === undefined) {
    run.progress(`${peer.name} is not available`);
    return [];
  }
  const commands = outputs.map(({ command }) => command);
  const shown = await showAll(peer, program, commands);
  return outputs.map(({ name, rawTokens }, i) => {
    const told = tokensOf(shown[i]!.join('\n'));
    return { measure: `${name}: ${peer.name} : as it is`, unit: '×', samples: [told / rawTokens] };
  });
}

function tokensOf(text: string): number {
  return encode(text, { disallowedSpecial: new Set() }).length;
}
