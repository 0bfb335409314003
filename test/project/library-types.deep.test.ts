/** Tests the published types as programs see them: with old module resolution, strictly checked, and in an editor. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..', '..');
const directory = mkdtempSync(join(tmpdir(), 'tenacitty-types-'));
const PACKAGE = join(directory, 'node_modules', 'tenacitty');
const PROGRAM = join(directory, 'program.ts');

/** Needs more time: the whole library is compiled. */
beforeAll(() => {
  mkdirSync(PACKAGE, { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(PACKAGE, 'package.json'));
  for (const name of ['zod', '@types', '@agentclientprotocol', 'undici-types']) linkModule(name);
  const tsc = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
  const options = ['-p', 'tsconfig.build.json', '--outDir', join(PACKAGE, 'dist')];
  execFileSync(process.execPath, [tsc, ...options], { cwd: ROOT });
  const tsx = join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs');
  execFileSync(process.execPath, [tsx, 'scripts/document-types.ts', join(PACKAGE, 'dist')], { cwd: ROOT });
  writeFileSync(
    PROGRAM,
    `import { LocalTerminalManager, type CreateTerminal } from 'tenacitty';
import { AcpTerminals } from 'tenacitty/acp';
import { TenacittyClient } from 'tenacitty/client';
const request: CreateTerminal = { command: 'ls', timeLimitMs: 5000 };
export async function run(manager: LocalTerminalManager) {
  const { exitCode, endedBy } = await manager.create(request);
  return [exitCode, endedBy, AcpTerminals, TenacittyClient];
}
`,
  );
}, 60_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function linkModule(name: string): void {
  symlinkSync(join(ROOT, 'node_modules', name), join(directory, 'node_modules', name));
}

function complaints(options: ts.CompilerOptions): string[] {
  const common = { strict: true, noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.ES2022, types: ['node'] };
  const program = ts.createProgram([PROGRAM], { ...common, ...options });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

it.each([
  [
    'node10',
    { module: ts.ModuleKind.CommonJS, moduleResolution: ts.ModuleResolutionKind.Node10, ignoreDeprecations: '6.0' },
  ],
  ['NodeNext', { module: ts.ModuleKind.NodeNext }],
])('compile with module resolution %s', (_name, options) => expect(complaints(options)).toEqual([]));

it('contain the description of every field of options and results, and no internals', () => {
  const service = ts.createLanguageService({
    getScriptFileNames: () => [PROGRAM],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => ts.ScriptSnapshot.fromString(ts.sys.readFile(name) ?? ''),
    getCurrentDirectory: () => directory,
    getCompilationSettings: () => ({ module: ts.ModuleKind.NodeNext, strict: true, types: ['node'] }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  const text = ts.sys.readFile(PROGRAM)!;
  const shownAt = (word: string) =>
    ts.displayPartsToString(service.getQuickInfoAtPosition(PROGRAM, text.indexOf(word))?.documentation);
  expect(shownAt('timeLimitMs')).toMatch(/time limit|milliseconds/i);
  expect(shownAt('exitCode')).toContain('Exit code');
  const at = text.indexOf('manager.create') + 'manager.'.length;
  const offered = service.getCompletionsAtPosition(PROGRAM, at, undefined)!.entries.map(({ name }) => name);
  expect(offered).toEqual(expect.arrayContaining(['create', 'exec', 'recover', 'shutdown']));
  for (const internal of ['handOver', 'takeOver', 'takeBack', 'letGo', 'isNeeded', 'programEnded'])
    expect(offered).not.toContain(internal);
});
