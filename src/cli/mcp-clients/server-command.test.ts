import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverCommand } from './server-command.js';
import type { ServerCommandOptions } from './server-command.js';

const WHERE = { home: '/h', env: {}, platform: 'linux' as const, cwd: '/w' };
const MAIN = '/usr/lib/node_modules/tenacitty/dist/cli/main.js';
const wish = (wishes: Partial<ServerCommandOptions> = {}) => ({
  program: undefined,
  npx: false,
  workspace: undefined,
  settings: [],
  ...wishes,
});
const commandOf = (wishes: Partial<ServerCommandOptions>, main = MAIN, isPublished = true) =>
  serverCommand(wish(wishes), WHERE, main, isPublished);

it('is this installation, with full paths', () => {
  const { command, args } = commandOf({});
  expect({ command, args }).toEqual({ command: process.execPath, args: [MAIN, 'mcp'] });
});

it('is node by its name on PATH, which stays valid after an update', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tenacitty-path-'));
  try {
    symlinkSync(process.execPath, join(directory, 'node'));
    const env = { PATH: `relative:/nowhere:${directory}` };
    expect(serverCommand(wish(), { ...WHERE, env }, MAIN).command).toBe(join(directory, 'node'));
  } finally {
    rmSync(directory, { recursive: true });
  }
});

it('is npx if requested, or if this process was started by npx, which may clean up its files', () => {
  const npx = { command: 'npx', args: ['-y', 'tenacitty', 'mcp'], isDownloaded: true };
  expect(commandOf({ npx: true })).toEqual(npx);
  expect(commandOf({}, '/h/.npm/_npx/1a2b/node_modules/tenacitty/dist/cli/main.js')).toEqual(npx);
});

it('is never npx as long as npm does not have the package', () => {
  const main = '/h/.npm/_npx/1a2b/node_modules/tenacitty/dist/cli/main.js';
  expect(commandOf({ npx: true }, MAIN, false)).toMatchObject({ command: process.execPath, isDownloaded: false });
  expect(commandOf({}, main, false).args).toEqual([main, 'mcp']);
});

it('is another program, by its name or its full path', () => {
  expect(commandOf({ program: 'tenacitty' })).toEqual({ command: 'tenacitty', args: ['mcp'], isDownloaded: false });
  expect(commandOf({ program: './bin/x' }).command).toBe('/w/bin/x');
});

it('contains the workspace and settings, with full paths', () => {
  const settings = ['--data-dir=x', '--log-file=~/log', '--runtime-dir=/r=1', '--max-terminals=5'];
  expect(commandOf({ npx: true, workspace: 'a b', settings }).args.slice(2)).toEqual([
    'mcp',
    '--workspace',
    'a b',
    '--data-dir=/w/x',
    '--log-file=/h/log',
    '--runtime-dir=/r=1',
    '--max-terminals=5',
  ]);
});
