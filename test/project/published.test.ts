/**
 * Tests that nothing suggests npx until the package is on npm: otherwise npx would run any package that someone else
 * had published under the name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { helpOf, wholeOverview } from '../../src/cli/help-text.js';
import { IS_PUBLISHED } from '../../src/cli/published.js';
import { commandsOf } from '../../src/cli/command.js';
import { GROUPS } from '../../src/cli/table.js';

const ROOT = join(import.meta.dirname, '..', '..');
const inDocs = readdirSync(join(ROOT, 'docs')).map((name) => join('docs', name));
const FILES = [
  'README.md',
  'SECURITY.md',
  'HACKING.md',
  'CHANGELOG.md',
  '.env.example',
  'deploy/tenacitty.service',
  'packages/acp-check/README.md',
];
const texts: readonly (readonly [string, string])[] = [
  ...[...FILES, ...inDocs].map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const),
  ['tenacitty help all', wholeOverview(GROUPS, 100)],
  ...commandsOf(GROUPS).map((command) => [`tenacitty help ${command.name}`, helpOf(command, 100)] as const),
];

it.each(IS_PUBLISHED ? [] : texts)('%s offers no npx as long as the package is not on npm', (_where, text) => {
  // A policy may allow the program of that name.
  const offers = text.split('\n').filter((line) => /npx/.test(line) && !/"allow": \[.*"npx"/.test(line));
  expect(offers).toEqual([]);
  for (const [encoded] of text.matchAll(/config=[\w%]+/g)) {
    const config = decodeURIComponent(encoded.slice('config='.length));
    expect(Buffer.from(config, 'base64').toString()).not.toContain('npx');
  }
});
