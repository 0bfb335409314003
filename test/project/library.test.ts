/** Tests the library's entry point: its exports, and that importing it is cheap and has no effects. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { BUILD } from '../build.js';

const INDEX = pathToFileURL(join(BUILD, 'index.js')).href;

/** Runs a script that has the library as `library`; resolves with the JSON that it printed. */
async function withLibrary(script: string, env: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const code = `const library = await import('${INDEX}'); ${script}`;
  const args = ['--input-type=module', '-e', code];
  const whole = { PATH: process.env['PATH'], ...env };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: whole });
  return JSON.parse(stdout);
}

describe('the library', () => {
  it('exports exactly these names', async () => {
    expect(await withLibrary('console.log(JSON.stringify(Object.keys(library).sort()))')).toEqual([
      'DEFAULT_ENGINE_OPTIONS',
      'ERROR_KINDS',
      'LocalTerminalManager',
      'RemoteTerminalManager',
      'TerminalError',
      'VERSION',
      'bufferBytesFor',
      'collectCommand',
      'commandPolicyDescription',
      'commandRecord',
      'commandResult',
      'commandStarted',
      'controlTerminal',
      'controlled',
      'createCommandPolicy',
      'createTerminal',
      'endOnSignal',
      'execCommand',
      'execInNewTerminal',
      'execInNewTerminalRequest',
      'followCommand',
      'followExec',
      'followExecInNewTerminal',
      'followProgram',
      'followedProgram',
      'followedResult',
      'inputWait',
      'killTerminal',
      'listCommands',
      'listTerminals',
      'managerEvent',
      'outputPage',
      'outputPiece',
      'policed',
      'programResult',
      'programStarted',
      'readOutput',
      'recordingOf',
      'resolveOptions',
      'runProgram',
      'runProgramRequest',
      'searchOutput',
      'searchResult',
      'sendSignal',
      'startServer',
      'terminalDetail',
      'terminalInput',
      'terminalLabels',
      'terminalName',
      'terminalScreen',
      'terminalSize',
      'terminalSnapshot',
      'terminalStats',
      'terminalSummary',
      'updateTerminal',
      'waitFor',
      'waitResult',
      'watchTerminals',
    ]);
  });

  it('loads no web framework, prints nothing, and lets the process end', async () => {
    const loaded = `
      const { createRequire } = await import('node:module');
      const paths = Object.keys(createRequire('${INDEX}').cache);
      console.log(JSON.stringify(paths.filter((path) => /node_modules.(express|helmet|prom-client)/.test(path))));`;
    expect(await withLibrary(loaded)).toEqual([]);
  });

  it('runs a program without any server', async () => {
    const script = `
      const manager = new library.LocalTerminalManager();
      const { id } = await manager.create({ command: 'echo', args: ['from the library'] });
      const page = await manager.read(id, { timeoutMs: 20_000 });
      await manager.shutdown();
      console.log(JSON.stringify(page.output));`;
    expect(await withLibrary(script)).toContain('from the library');
  });

  it('rejects unknown options and those of the wrong type, and names what was probably meant', async () => {
    const script = `
      const messages = [];
      const tried = [
        () => new library.LocalTerminalManager({ maxTerminal: 1 }),
        () => new library.LocalTerminalManager({ maxTerminals: 'x' }),
        () => new library.RemoteTerminalManager({ datadir: '/x' }),
        () => new library.RemoteTerminalManager({ engine: { historyDir: '/x' } }),
      ];
      for (const create of tried) try { create(); } catch (error) { messages.push(error.code + ' ' + error.message); }
      console.log(JSON.stringify(messages));`;
    expect(await withLibrary(script)).toEqual([
      'INVALID_INPUT maxTerminal: unknown option. Did you mean maxTerminals?',
      'INVALID_INPUT maxTerminals: expected a number of at least 0, given "x"',
      'INVALID_INPUT datadir: unknown option. Did you mean dataDir?',
      expect.stringMatching(/^INVALID_INPUT engine\.historyDir: unknown option\./),
    ]);
  });

  it('uses the directories of the command line by default', async () => {
    const home = mkdtempSync(join(tmpdir(), 'tenacitty-library-'));
    try {
      const script = `
        const manager = new library.RemoteTerminalManager();
        const { id } = await manager.create({ command: 'cat' });
        await manager.shutdown(0);
        console.log(JSON.stringify(id));`;
      const id = await withLibrary(script, { HOME: home, XDG_RUNTIME_DIR: join(home, 'run') });
      const files = readdirSync(join(home, '.local', 'share', 'tenacitty'), { recursive: true }).map(String);
      expect(files.some((file) => file.includes(String(id)))).toBe(true);
      expect(existsSync(join(home, 'run', 'tenacitty'))).toBe(true);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
