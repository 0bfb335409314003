/** Tests `tenacitty/acp`: its exports, what importing them loads, and that the examples on its page work. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ERROR_KINDS } from '../../src/errors.js';
import { DRIVEN_AGENT, EXAMPLES, LIBRARY_PAGE, programOf } from './library-examples.js';

const ROOT = join(import.meta.dirname, '..', '..');

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'tenacitty-acp-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program that can import the library by name, with an agent on its PATH; returns its output. */
function run(code: string): string {
  const { file, args, cwd, env } = programOf(code, DRIVEN_AGENT, folder);
  const { stdout, stderr } = spawnSync(file, args, { env, cwd });
  expect(stderr.toString()).toBe('');
  return stdout.toString();
}

it('exports exactly these names', () => {
  const names = run(
    `import * as library from 'tenacitty/acp'; console.log(JSON.stringify(Object.keys(library).sort()));`,
  );
  expect(JSON.parse(names)).toEqual([
    ...['AcpTerminals', 'ShownTerminals', 'asRequestError', 'endAbandoned', 'serveTerminals', 'streamOf'],
    'watchUpdates',
  ]);
});

it('is where package.json says, for programs and for types', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>;
  };
  expect(exports['./acp']).toEqual({ types: './dist/acp.d.ts', default: './dist/acp.js' });
});

describe('the examples in docs/acp.md', () => {
  it('work with the SDK', () => expect(run(EXAMPLES[0]!)).toMatch(/^hello from \/dev\/\S+\n\n$/));

  it('work without it', () =>
    expect(run(EXAMPLES[1]!)).toBe(
      "{ exitCode: 3, signal: null }\n{\n  output: 'hello\\n',\n  truncated: false,\n  exitStatus: { exitCode: 3, signal: null }\n}\n",
    ));

  it('display terminals, while they run and after their release', () =>
    expect(run(EXAMPLES[2]!)).toBe(
      `hello\r\n{\n  command: 'echo "hello"; exit 3',\n  output: 'hello\\n',\n  exit: { exitCode: 3, signal: null }\n}\n`,
    ));

  it('are all tested', () => expect(EXAMPLES).toHaveLength(3));
});

it('names only existing error codes, with their numbers', () => {
  const codes = [...LIBRARY_PAGE.matchAll(/−(\d+) `([A-Z_]+)`/g)].map(([, rpc, code]) => [code, -Number(rpc)] as const);
  expect(codes.length).toBeGreaterThan(1);
  for (const [code, rpc] of codes) expect(ERROR_KINDS[code as keyof typeof ERROR_KINDS].rpc).toBe(rpc);
  for (const code of ['COMMAND_DENIED', 'LIMIT_REACHED', 'SHUTTING_DOWN'] as const) {
    expect(ERROR_KINDS[code].rpc).toBe(-32010);
  }
});
