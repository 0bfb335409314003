/**
 * Checks the sources against the plan of allowed imports between top-level folders. Pure; the test passes in the files.
 */
import ts from 'typescript';

/**
 * A folder's row: its description, the other folders it may import, and packages, where `node:` stands for all of Node.
 */
interface Room {
  readonly is: string;
  readonly rooms: readonly string[];
  readonly packages: readonly string[];
}

/**
 * The imports of an interface folder (REST, MCP, ACP, CLI): it may use the engine; the engine uses no interface, and
 * interfaces do not use each other.
 */
const DOOR = ['contract', 'access', 'calls', 'picture'];

/** In dependency order: a folder imports none that comes after it. ARCHITECTURE.md shows it (`npm run docs`). */
export const PLAN: Readonly<Record<string, Room>> = {
  contract: {
    is:
      'the vocabulary: zod schemas, events, options, the `TerminalManager` interface and the table of its methods, ' +
      'from which all implementations are generated',
    rooms: [],
    packages: ['zod'],
  },
  history: { is: 'bytes at offsets, numbered lines, pages of both; pure', rooms: ['contract'], packages: [] },
  screen: {
    is: 'the emulator, rows, styles',
    rooms: ['contract'],
    packages: ['@xterm/headless', '@xterm/addon-unicode-graphemes'],
  },
  picture: {
    is: 'renders a screen as a PNG: the font (`fonts/`), colours, pixels',
    rooms: ['contract', 'screen'],
    packages: ['node:'],
  },
  store: {
    is: 'history on disk: segments with an index, repaired after a crash; small records written atomically',
    rooms: ['contract', 'history'],
    packages: ['node:', 'zod'],
  },
  processes: {
    is: "the kernel's view: process table and trees, the foreground, signals, waits for input, ports",
    rooms: ['contract'],
    packages: ['node:'],
  },
  pty: {
    is: 'one pseudo-terminal: opening, reading to the last byte, writing in order',
    rooms: ['processes'],
    packages: ['node:', '@lydell/node-pty'],
  },
  launch: {
    is: 'what to start: program, directory, environment',
    rooms: ['contract', 'processes'],
    packages: ['node:'],
  },
  wait: {
    is: 'waiting for text, silence, a prompt, a port; searching',
    rooms: ['contract', 'history', 'processes'],
    packages: ['node:', 're2js'],
  },
  transcript: {
    is: 'turns bytes into lines and a screen: live, restored, and of one command; saves in the background',
    rooms: ['contract', 'history', 'screen', 'store', 'pty'],
    packages: ['node:'],
  },
  shell: {
    is: 'shell integration: marks and scripts, sessions, commands, nested shells',
    rooms: ['contract', 'history', 'store', 'processes', 'launch', 'wait', 'transcript'],
    packages: ['node:', 'zod'],
  },
  terminal: {
    is: 'terminals, and the manager of the terminals in this process',
    rooms: ['contract', 'history', 'store', 'processes', 'pty', 'launch', 'wait', 'transcript', 'shell'],
    packages: ['node:'],
  },
  host: {
    is: 'the host process: its protocol, server, client, start and hand-off',
    rooms: ['contract', 'processes', 'pty', 'launch', 'terminal', 'log.ts', 'stderr.ts'],
    packages: ['node:', 'zod'],
  },
  access: {
    is: 'the gate: Host, Origin, keys, local trust, rate limits; the policy: which programs may run',
    rooms: ['contract'],
    packages: ['node:', 'zod', 'rate-limiter-flexible'],
  },
  config: { is: 'settings: one table, its sources, checks', rooms: ['contract', 'access'], packages: ['node:', 'zod'] },
  calls: {
    is:
      'operations that combine several manager calls, for all interfaces: a command in a new terminal, streaming a ' +
      'command, running a program without a shell, searching all terminals',
    rooms: ['contract'],
    packages: ['node:'],
  },
  recording: {
    is: 'terminals as recordings: what happened and when, asciicast, rendered lines, playing them',
    rooms: ['contract', 'history', 'screen', 'calls'],
    packages: ['node:', 'zod'],
  },
  hooks: {
    is: 'hooks: delivers events to webhooks and commands, once and in order, even across restarts of the server',
    rooms: ['contract', 'store', 'processes', 'launch', 'wait', 'access'],
    packages: ['node:', 'zod'],
  },
  client: {
    is:
      'a client of a server for Node and browsers: REST, live connections, events; loads no other file of the ' +
      'project',
    rooms: ['contract'],
    packages: [],
  },
  live: {
    is:
      'live connections of one client: a terminal with its output as it is written, the events of all terminals, and ' +
      'what the client sends',
    rooms: ['contract', 'access', 'calls'],
    packages: ['node:', 'zod'],
  },
  http: {
    is: 'the REST interface: one route table for validation, handlers, OpenAPI and docs',
    rooms: [...DOOR, 'recording', 'store', 'live', 'hooks'],
    packages: ['node:', 'zod', 'express', 'helmet', 'pino', 'prom-client', 'ws'],
  },
  mcp: {
    is:
      'the MCP interface: the tool `terminal` for agents, in both generations of the protocol; numbers ' +
      'within a namespace, output within a token budget',
    rooms: [...DOOR, 'history'],
    packages: ['node:', 'zod', '@modelcontextprotocol/server'],
  },
  acp: {
    is: 'the ACP interface: terminals for clients, a command-line client, a proxy',
    rooms: [...DOOR, 'screen', 'processes'],
    packages: ['node:', 'zod', '@agentclientprotocol/sdk'],
  },
  cli: {
    is: 'the command line; the only part that ends the process',
    rooms: [
      ...['contract', 'access', 'calls', 'picture', 'recording', 'hooks', 'config', 'config.ts', 'engine.ts'],
      ...['server.ts', 'mcp-stdio.ts', 'acp-client.ts', 'acp-proxy.ts', 'stderr.ts'],
    ],
    packages: ['node:', 'zod', 'jsonc-parser', 'smol-toml'],
  },
  'stderr.ts': {
    is: 'writes to stderr without waiting for its reader; used by `cli/` and `log.ts`',
    rooms: [],
    packages: ['node:'],
  },
};

/** A folder that imports nothing else of the project, not even the files open to all. */
const LEAF = 'contract';
/** Small files without imports of folders, which every folder may import. */
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
  'package-paths.ts',
  'turns.ts',
  'clock.ts',
  'command-name.ts',
  'user-name.ts',
  'usual-directories.ts',
  'file-access.ts',
  'abortable.ts',
  'lru-map.ts',
  'utf8.ts',
];
/** Top-level files that combine the folders; they may import any folder. */
export const COMPOSERS: readonly string[] = [
  'index.ts',
  'server.ts',
  'mcp-stdio.ts',
  'acp.ts',
  'acp-client.ts',
  'acp-proxy.ts',
  'engine.ts',
  'config.ts',
  'log.ts',
];

/** Packages that only one file may import. */
const ONE_IMPORTER = ['ws', '@lydell/node-pty', '@xterm/headless', 're2js', 'jsonc-parser', 'smol-toml'];

/** Returns the document with the plan as a table between its marks. */
export function withPlan(document: string): string {
  const rows = Object.entries(PLAN).map(([name, { is, rooms, packages }]) => {
    const room = name.endsWith('.ts') ? name : `${name}/`;
    const others = packages.filter((each) => each !== 'node:' && each !== 'zod');
    return `| \`${room}\` | ${is} | ${inCode(rooms)} | ${inCode(others)} |`;
  });
  const table = ['| room | what it is | may import | external packages |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
  return document.replace(/(?<=<!-- plan -->\n\n).*?(?=\n\n<!-- end of plan -->)/s, () => table);
}

function inCode(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' ') || '–';
}

/** Sources by path relative to `src/`, such as `http/app.ts`. */
export type Sources = ReadonlyMap<string, string>;

/** Returns every violation of the plan as a sentence. */
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
  /** A path relative to `src/`, or a package name. */
  readonly target: string;
  readonly isOwn: boolean;
}

/**
 * Returns all imports: static, re-exported, dynamic, and `require`. Type imports count, because they are dependencies,
 * too.
 */
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
    return isOwn ? !OPEN_TO_ALL.includes(target) : !['node:fs', 'node:os', 'node:path', 'zod'].includes(target);
  if (!isOwn) return !place.packages.some((name) => isPackage(target, name));
  if (roomOf(target) === roomOf(file)) return false;
  if (OPEN_TO_ALL.includes(target)) return roomOf(file) === LEAF;
  return !place.rooms.some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
}

function isPackage(target: string, name: string): boolean {
  return name === 'node:' ? target.startsWith(name) : target === name || target.startsWith(`${name}/`);
}

/** Searches for the name in quotes, to also find a `require` that was created by code. */
function tooManyImporters(name: string, sources: Sources): string[] {
  const files = [...sources].filter(([, text]) => new RegExp(`['"]${name}['"/]`).test(text)).map(([file]) => file);
  return files.length > 1 ? [`${name} is imported by ${files.join(' and ')}; one file is to know it`] : [];
}
