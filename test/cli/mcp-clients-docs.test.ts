/** Tests that docs/mcp-clients.md matches the table of clients: files, entries, install links. */
import { readFileSync } from 'node:fs';
import { installEntry, OWN_NAME } from '../../src/cli/mcp-clients/change.js';
import { CLIENTS } from '../../src/cli/mcp-clients/clients.js';
import { INSTALL_FLAGS, MCP_CLIENTS } from '../../src/cli/flags/mcp.js';
import { flagName } from '../../src/cli/flag.js';

const document = readFileSync('docs/mcp-clients.md', 'utf8');
const COMMAND = { command: 'tenacitty', args: ['mcp'] };

it.each(MCP_CLIENTS)('shows the entry of %s and its file', (name) => {
  const { format, container, entry, userFile, projectFile } = CLIENTS[name];
  const goal = { format, place: { container, name: OWN_NAME }, entry: entry({ ...COMMAND, isDownloaded: false }) };
  expect(document).toContain(`\n${installEntry(null, goal).text}\`\`\`\n`);
  const onMac = userFile({ home: '~', env: {}, platform: 'darwin', cwd: '/' });
  const onLinux = userFile({ home: '~', env: {}, platform: 'linux', cwd: '/' });
  expect([onMac, onLinux].some((path) => document.includes(`\`${path}\``))).toBe(true);
  expect(document).toContain(projectFile === null ? '–' : `\`${projectFile}\``);
});

it('names every flag', () => {
  for (const key of Object.keys(INSTALL_FLAGS)) expect(document).toContain(flagName(key));
});

it('contains links that install exactly this', () => {
  const cursor = new URL(/cursor:\/\/\S+/.exec(document)![0]);
  expect(cursor.searchParams.get('name')).toBe('tenacitty');
  expect(JSON.parse(Buffer.from(cursor.searchParams.get('config')!, 'base64').toString())).toEqual(COMMAND);
  const [vscode] = /vscode:mcp\/install\?\S+/.exec(document)!;
  expect(JSON.parse(decodeURIComponent(vscode.split('?')[1]!))).toEqual({ name: 'tenacitty', ...COMMAND });
  expect(document).toContain(`(https://insiders.vscode.dev/redirect?url=${encodeURIComponent(vscode)})`);
  expect(document).toContain(`(https://cursor.com/install-mcp${cursor.search})`);
});
