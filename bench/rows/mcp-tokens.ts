/** What agents pay in tokens: for knowing the tool, and for reading what programs print. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { agentOutputs } from '../inputs/agent-outputs.js';
import { McpAgent } from '../mcp-agent.js';
import type { Finding, Row } from '../row.js';

const MAX_TOOL_TOKENS = 1200;

export const mcpTokens: Row = {
  name: 'mcp-tokens',
  what:
    'Tokens (o200k) of the tool as it is listed, and of all that EXEC answers to a program that prints what it would print ' +
    'in a terminal, beside the tokens of these bytes as they are. No times: one round.',
  async measure() {
    const agent = await McpAgent.open('stdio');
    const directory = mkdtempSync(join(tmpdir(), 'tenacitty-bench-'));
    try {
      const { tools } = await agent.client.listTools();
      const listed = tokensOf(JSON.stringify(tools));
      const findings: Finding[] = [
        { measure: 'tools/list', unit: 'tokens', samples: [listed], goal: { atMost: MAX_TOOL_TOKENS } },
      ];
      for (const [name, text] of Object.entries(agentOutputs()))
        findings.push(...(await read(agent, directory, name, text)));
      return findings;
    } finally {
      rmSync(directory, { recursive: true });
      await agent.end();
    }
  },
};

async function read(agent: McpAgent, directory: string, name: string, text: string): Promise<Finding[]> {
  const file = join(directory, 'output');
  writeFileSync(file, text);
  const told = tokensOf((await agent.call({ command: `cat ${file}` })).join('\n'));
  const raw = tokensOf(text);
  return [
    { measure: `${name}: as it is`, unit: 'tokens', samples: [raw] },
    { measure: `${name}: EXEC`, unit: 'tokens', samples: [told] },
    { measure: `${name}: EXEC : as it is`, unit: '×', samples: [told / raw] },
  ];
}

function tokensOf(text: string): number {
  return encode(text, { disallowedSpecial: new Set() }).length;
}
