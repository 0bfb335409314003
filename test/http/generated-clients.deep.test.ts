/**
 * Tests that the usual generators turn the OpenAPI document into clients that compile without switches, strictly
 * checked, and that these clients work. `npm test` installs them (`test/generators`).
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

const ROOT = join(import.meta.dirname, '..', '..');
const MODULES = join(ROOT, 'test', 'generators', 'node_modules');
const run = promisify(execFile);

let server: ServerUnderTest;
let directory: string;
beforeEach(async () => {
  server = await startServer({ engine: { defaultShell: '/bin/bash' } });
  directory = mkdtempSync(join(tmpdir(), 'tenacitty-generated-'));
  symlinkSync(MODULES, join(directory, 'node_modules'));
  const { body } = await server.api.get('/openapi.json');
  writeFileSync(join(directory, 'openapi.json'), JSON.stringify(body));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
});
afterEach(async () => {
  await stopServers();
  rmSync(directory, { recursive: true, force: true });
});

const generate = (program: string, ...args: string[]) =>
  run(join(MODULES, '.bin', program), args, { cwd: directory, timeout: 60_000 });

/** Compiles a program strictly, and runs it. Resolves to what it prints. */
async function output(source: string): Promise<string> {
  const file = join(directory, 'program.ts');
  writeFileSync(file, source);
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    ...{ target: ts.ScriptTarget.ES2022, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'] },
  };
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([file], options));
  expect(diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  const tsx = join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs');
  return (await run(process.execPath, [tsx, file], { cwd: directory })).stdout;
}

it('openapi-typescript and openapi-fetch', async () => {
  await generate('openapi-typescript', 'openapi.json', '--output', 'schema.d.ts');
  const printed = await output(`import createClient from 'openapi-fetch';
import type { paths } from './schema.js';
const client = createClient<paths>({ baseUrl: '${server.url}' });
const { data, error } = await client.POST('/api/exec', { body: { command: 'echo hello; (exit 3)' } });
if (error) throw new Error(error.error.message);
const text: string = data.data.output;
console.log(text.trim(), data.data.exitCode);
const wrong = await client.GET('/api/terminals/{terminalId}', { params: { path: { terminalId: 'none' } } });
console.log(wrong.error?.error.code);
`);
  expect(printed).toBe('hello 3\nTERMINAL_NOT_FOUND\n');
}, 120_000);

it('@hey-api/openapi-ts', async () => {
  await generate('openapi-ts', '--input', 'openapi.json', '--output', 'generated');
  const printed = await output(`import { execInNewTerminal, getTerminal } from './generated';
const baseUrl = '${server.url}';
const { data } = await execInNewTerminal({ baseUrl, body: { command: 'echo hello; (exit 3)' } });
const text: string | undefined = data?.data.output;
console.log(text?.trim(), data?.data.exitCode);
const wrong = await getTerminal({ baseUrl, path: { terminalId: 'none' } });
console.log(wrong.error?.error.code);
`);
  expect(printed).toBe('hello 3\nTERMINAL_NOT_FOUND\n');
}, 120_000);
