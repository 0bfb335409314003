/** Tests the library's entry point: its exports, and that importing it is cheap and has no effects. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { BUILD } from '../build.js';

const INDEX = pathToFileURL(join(BUILD, 'index.js')).href;

/** Runs a script that has the library as `library`; resolves with the JSON that it printed. */
async function withLibrary(script: string): Promise<unknown> {
  const code = `const library = await import('${INDEX}'); ${script}`;
  const args = ['--input-type=module', '-e', code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PATH: process.env['PATH'] } });
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
});
