/** Tests that the command line accepts the commands that docs/acp.md tells editors to start. */
import { readFileSync } from 'node:fs';
import { commandNamed } from '../../src/cli/command.js';
import { parse } from '../../src/cli/parse.js';
import { GROUPS } from '../../src/cli/table.js';

const page = readFileSync('docs/acp.md', 'utf8');
const editors = /^## Editors\n([^]*?)^## /m.exec(page)![1]!;
const snippets = [...editors.matchAll(/^```(\w+)\n([^]*?)\n```$/gm)].map(([, language, body]) => [language!, body!]);

interface AgentServers {
  readonly agent_servers: Readonly<Record<string, { readonly command: string; readonly args: readonly string[] }>>;
}

/** Returns the command line that the editor is configured to start. */
function wordsOf(language: string, body: string): readonly string[] {
  if (language === 'json') {
    const [server] = Object.values((JSON.parse(body) as AgentServers).agent_servers);
    return [server!.command, ...server!.args];
  }
  const from = body.slice(body.indexOf('"tenacitty"'));
  return [...from.matchAll(/"([^"]*)"/g)].map(([, word]) => word!);
}

it('contains a snippet for each editor', () => {
  expect(snippets.map(([language]) => language)).toEqual(['json', 'json', 'lua', 'lua', 'elisp']);
});

it.each(snippets)('starts the proxy with an agent (%s)', (language, body) => {
  const [program, command, ...rest] = wordsOf(language, body);
  expect([program, command]).toEqual(['tenacitty', 'acp']);
  const call = parse(commandNamed(GROUPS, 'acp')!, rest);
  expect(call).toMatchObject({ operands: ['proxy'] });
  const { program: agent } = call as { program: readonly string[] };
  expect([['kimi', 'acp'], ['claude-code-acp']]).toContainEqual(agent);
});
