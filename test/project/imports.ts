/** Holds the sources to the house plan: which room may import what. Pure; the test gives it the files. */
import ts from 'typescript';

/** A room's row: rooms it may import beside itself, and packages, where `node:` stands for all of Node. */
interface Room {
  readonly rooms: readonly string[];
  readonly packages: readonly string[];
}

/** A door knows the engine; the engine knows no door; no door knows another. */
const DOOR = ['contract', 'access', 'calls', 'picture', 'terminal/options.ts'];

export const PLAN: Readonly<Record<string, Room>> = {
  contract: { rooms: [], packages: ['zod'] },
  history: { rooms: ['contract'], packages: [] },
  screen: { rooms: ['contract'], packages: ['@xterm/headless', '@xterm/addon-unicode-graphemes'] },
  picture: { rooms: ['contract', 'screen'], packages: ['node:'] },
  store: { rooms: ['contract', 'history'], packages: ['node:', 'zod'] },
  shell: { rooms: ['contract', 'terminal/process-table.ts', 'terminal/foreground.ts'], packages: ['node:', 'zod'] },
  terminal: {
    rooms: ['contract', 'history', 'screen', 'shell', 'store'],
    packages: ['node:', '@lydell/node-pty', 're2js'],
  },
  host: { rooms: ['contract', 'terminal', 'log.ts', 'stderr.ts'], packages: ['node:', 'zod'] },
  access: { rooms: ['contract', 'terminal/options.ts'], packages: ['node:', 'zod', 'rate-limiter-flexible'] },
  config: { rooms: ['access', 'terminal/options.ts'], packages: ['node:', 'zod'] },
  calls: { rooms: ['contract'], packages: ['node:'] },
  http: {
    rooms: [...DOOR, 'store/record-file.ts'],
    packages: ['node:', 'zod', 'express', 'helmet', 'pino', 'prom-client'],
  },
  mcp: { rooms: [...DOOR, 'history/tokens.ts'], packages: ['node:', 'zod', '@modelcontextprotocol/server'] },
  acp: {
    rooms: [...DOOR, 'screen', 'terminal/process-table.ts'],
    packages: ['node:', 'zod', '@agentclientprotocol/sdk'],
  },
  cli: {
    rooms: [
      'contract',
      'access',
      'calls',
      'picture',
      'config',
      'config.ts',
      'engine.ts',
      'server.ts',
      'mcp-stdio.ts',
      'acp-client.ts',
      'acp-proxy.ts',
      'acp-check.ts',
      'stderr.ts',
    ],
    packages: ['node:', 'zod', 'jsonc-parser'],
  },
  'stderr.ts': { rooms: [], packages: ['node:'] },
};

/** A room that imports nothing of ours, not even what is open to all. */
const LEAF = 'contract';
/** Small files without imports of other rooms, open to every room. */
export const OPEN_TO_ALL: readonly string[] = [
  'check.ts',
  'data-directory.ts',
  'directory.ts',
  'end-on-signal.ts',
  'errors.ts',
  'duration.ts',
  'bounded.ts',
  'nearest.ts',
  'printable.ts',
  'search-path.ts',
  'version.ts',
  'clock.ts',
  'command-name.ts',
  'utf8.ts',
];
/** Files beside the rooms that put them together; they may import any room. */
export const COMPOSERS: readonly string[] = [
  'index.ts',
  'server.ts',
  'mcp-stdio.ts',
  'acp.ts',
  'acp-client.ts',
  'acp-proxy.ts',
  'acp-check.ts',
  'engine.ts',
  'config.ts',
  'log.ts',
];

/** Packages whose ways are known to one file only. */
const ONE_IMPORTER = ['@lydell/node-pty', '@xterm/headless', 're2js', 'jsonc-parser'];

/** Sources by path below `src/`, as `http/app.ts`. */
export type Sources = ReadonlyMap<string, string>;

/** Every breach of the plan, as a sentence; none when all is well. */
export function breaches(sources: Sources): string[] {
  const imports = [...sources].flatMap(([file, text]) => importsOf(file, text));
  return [
    ...[...sources.keys()].filter((file) => !placeOf(file)).map((file) => `${file} is in no room of the plan`),
    ...imports.filter(isForbidden).map(({ file, target }) => `${file} must not import ${target}`),
    ...ONE_IMPORTER.flatMap((name) => tooManyImporters(name, sources)),
  ];
}

export interface Import {
  readonly file: string;
  /** A path below `src/`, or a package name. */
  readonly target: string;
  readonly isOwn: boolean;
}

/** All ways to import: static, re-export, dynamic, `require`. Types count: knowing a type is knowing. */
export function importsOf(file: string, text: string): Import[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => {
    const isOwn = fileName.startsWith('.');
    const target = isOwn ? new URL(fileName, `file:///${file}`).pathname.slice(1).replace(/\.js$/, '.ts') : fileName;
    return { file, target, isOwn };
  });
}

function placeOf(file: string): 'open' | 'composer' | Room | undefined {
  if (OPEN_TO_ALL.includes(file)) return 'open';
  if (COMPOSERS.includes(file)) return 'composer';
  return PLAN[roomOf(file)];
}

function roomOf(file: string): string {
  return file.split('/')[0]!;
}

function isForbidden({ file, target, isOwn }: Import): boolean {
  const place = placeOf(file);
  if (place === undefined || place === 'composer') return false;
  if (place === 'open')
    return isOwn ? !OPEN_TO_ALL.includes(target) : !['node:fs', 'node:path', 'zod'].includes(target);
  if (!isOwn) return !place.packages.some((name) => isPackage(target, name));
  if (roomOf(target) === roomOf(file)) return false;
  if (OPEN_TO_ALL.includes(target)) return roomOf(file) === LEAF;
  return !place.rooms.some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
}

function isPackage(target: string, name: string): boolean {
  return name === 'node:' ? target.startsWith(name) : target === name || target.startsWith(`${name}/`);
}

/** Looks for the name in quotes, so that a `require` made by hand is found too. */
function tooManyImporters(name: string, sources: Sources): string[] {
  const files = [...sources].filter(([, text]) => new RegExp(`['"]${name}['"/]`).test(text)).map(([file]) => file);
  return files.length > 1 ? [`${name} is imported by ${files.join(' and ')}; one file is to know it`] : [];
}
