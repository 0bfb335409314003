/**
 * The official conformance suite, over HTTP, for both revisions: what it asks of every server, of ours; what it asks of
 * fixtures, of a server with those on the same transport. What is run is in the titles.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { McpOverHttp } from '../../src/mcp/http.js';
import { Workspaces } from '../../src/mcp/workspaces.js';
import { startServer } from '../http/server-under-test.js';
import type { ServerUnderTest } from '../http/server-under-test.js';
import { buildFixtures } from './conformance-fixtures.js';

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const ON_NODE_20 = ['--import', join(import.meta.dirname, 'globless-fs.mjs')];
/** Of the suite, for one scenario; it says so itself when it is over. */
const SCENARIO_MS = 30_000;

const LEGACY = '2025-11-25';
const MODERN = '2026-07-28';

/** Of every server. */
const OURS = {
  [LEGACY]: ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list'],
  [MODERN]: [
    ...['tools-list', 'resources-list', 'prompts-list', 'caching', 'server-sse-multiple-streams'],
    ...['http-header-validation', 'sep-2164-resource-not-found'],
  ],
};

/** Of tools, resources and prompts with certain names. */
const OF_FIXTURES = [
  ...['tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource'],
  ...['tools-call-mixed-content', 'tools-call-error', 'tools-call-with-progress', 'completion-complete'],
  ...['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  ...['prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image'],
];
const FIXTURES = {
  [LEGACY]: OF_FIXTURES,
  [MODERN]: [...OF_FIXTURES, 'input-required-result-basic-elicitation', 'server-stateless'],
};

let ours: ServerUnderTest;
let fixtures: ServerUnderTest;
beforeAll(async () => {
  [ours, fixtures] = await Promise.all([serve(), serve(buildFixtures)]);
});
afterAll(() => Promise.all([ours.stop(), fixtures.stop()]));

function serve(build?: typeof buildFixtures): Promise<ServerUnderTest> {
  const faults = { onFault: () => {}, onRefusal: () => {} };
  return startServer({
    mounts: (manager) => {
      const served = new McpOverHttp(new Workspaces(manager), faults, build);
      return [
        {
          path: '/mcp',
          methods: ['POST', 'GET', 'DELETE'],
          handle: (...args) => served.handle(...args),
          close: () => served.close(),
        },
      ];
    },
  });
}

interface Outcome {
  readonly code: number | null;
  readonly said: string;
  /** As the suite counts them. */
  readonly passed: number;
  readonly failed: number;
}

async function run({ url }: ServerUnderTest, revision: string, scenario: string): Promise<Outcome> {
  const target = ['--url', `${url}/mcp`, '--spec-version', revision, '--scenario', scenario];
  const args = [...ON_NODE_20, SUITE, 'server', ...target, '--timeout', String(SCENARIO_MS)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [said, trouble, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  const [, passed = '0', all = '0'] = /Passed: (\d+)\/(\d+)/.exec(said) ?? [];
  return { code, said: `${said}${trouble}`, passed: Number(passed), failed: Number(all) - Number(passed) };
}

function scenarios(of: Readonly<Record<string, readonly string[]>>): [revision: string, scenario: string][] {
  return Object.entries(of).flatMap(([revision, names]) => names.map((name): [string, string] => [revision, name]));
}

it.each(scenarios(OURS))('ours conforms to %s: %s', async (revision, scenario) => {
  const { code, said, passed } = await run(ours, revision, scenario);
  if (code !== 0) throw new Error(said);
  expect(passed).toBeGreaterThan(0);
});

it.each(scenarios(FIXTURES))('the transport conforms to %s: %s', async (revision, scenario) => {
  const { code, said, passed } = await run(fixtures, revision, scenario);
  if (code !== 0) throw new Error(said);
  expect(passed).toBeGreaterThan(0);
});

/** A page always needs a key, also one of this machine: the suite expects that such a page is let in. */
it.each([LEGACY, MODERN])('of %s dns-rebinding-protection, a page of this machine needs a key', async (revision) => {
  const { code, said, passed, failed } = await run(ours, revision, 'dns-rebinding-protection');
  expect({ code, passed, failed }).toEqual({ code: 1, passed: 1, failed: 1 });
  expect(said).toContain('401');
});
