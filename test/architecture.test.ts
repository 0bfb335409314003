/** Tests the rules for imports on every source file, and the checker itself with deliberate violations. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { breaches, importsOf, PLAN, withPlan } from './project/imports.js';

const SRC = join(import.meta.dirname, '..', 'src');

function readSources(): Map<string, string> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !/\.(test|d)\.ts$/.test(file));
  return new Map(sources.map((file) => [file, readFileSync(join(SRC, file), 'utf8')]));
}

describe('a workspace package', () => {
  const folder = join(SRC, '..', 'packages', 'acp-check', 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

  it.each(files)('imports only its own files, Node and its dependencies: %s', (name) => {
    const manifest = readFileSync(join(folder, '..', 'package.json'), 'utf8');
    const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
    const others = importsOf(name, readFileSync(join(folder, name), 'utf8')).filter(({ target, isOwn }) =>
      isOwn ? !files.includes(target) : !target.startsWith('node:') && !(target in dependencies),
    );
    expect(others).toEqual([]);
  });
});

describe('the architecture', () => {
  const sources = readSources();

  it('is followed by every file of src/', () => {
    expect(breaches(sources)).toEqual([]);
  });

  it('is shown by ARCHITECTURE.md as `npm run docs` writes it', () => {
    const document = readFileSync(join(SRC, '..', 'ARCHITECTURE.md'), 'utf8');
    expect(withPlan(document)).toBe(document);
    expect(document).toContain('| `terminal/` |');
  });

  it('has no room that imports a later one, or a file outside of the rooms', () => {
    const order = Object.keys(PLAN);
    const wrong = Object.entries(PLAN).flatMap(([room, { rooms }]) =>
      rooms.filter(
        (target) =>
          target.includes('/') ||
          (target in PLAN && target !== 'stderr.ts' && order.indexOf(target) >= order.indexOf(room)),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['the engine importing an interface', 'terminal/x.ts', "import { a } from '../http/app.js';", 'http/app.ts'],
    ['an interface importing another', 'http/x.ts', "import '../cli/main.js';", 'cli/main.ts'],
    [
      'an interface importing the engine itself',
      'http/x.ts',
      "await import('../terminal/terminal.js');",
      'terminal/terminal.ts',
    ],
    [
      'a lower room importing a higher one',
      'pty/x.ts',
      "import { a } from '../shell/commands.js';",
      'shell/commands.ts',
    ],
    ['the gate importing an interface', 'access/x.ts', "export * from '../http/app.js';", 'http/app.ts'],
    ['the contract importing anything', 'contract/x.ts', "import type { A } from '../errors.js';", 'errors.ts'],
    ['the contract importing a package', 'contract/x.ts', "import e from 'express';", 'express'],
    ['the history touching the disk', 'history/x.ts', "import { readFileSync } from 'node:fs';", 'node:fs'],
    ['the screen touching the network', 'screen/x.ts', "const net = await import('node:net');", 'node:net'],
    ['the engine importing a web framework', 'terminal/x.ts', "require('express');", 'express'],
    ['an open file importing a room', 'errors.ts', "import { a } from './config/flags.js';", 'config/flags.ts'],
  ])('does not allow %s', (_what, file, text, target) => {
    const planted = new Map([...sources, [file, text]]);
    expect(breaches(planted)).toEqual([`${file} must not import ${target}`]);
  });

  it.each([
    ['@lydell/node-pty', 'pty/x.ts', "import pty from '@lydell/node-pty';"],
    ['@lydell/node-pty', 'pty/x.ts', "createRequire(import.meta.url)('@lydell/node-pty');"],
    ['@xterm/headless', 'screen/x.ts', "import { Terminal } from '@xterm/headless';"],
  ])('allows only one file to import %s', (name, file, text) => {
    const planted = new Map([
      [file, text],
      [file.replace('x.ts', 'y.ts'), text],
    ]);
    expect(breaches(planted)).toEqual([expect.stringContaining(`${name} is imported by ${file} and`)]);
  });

  it('has a place for every file', () => {
    expect(breaches(new Map([['utils/strings.ts', '']]))).toEqual(['utils/strings.ts is in no room of the plan']);
    expect(breaches(new Map([['stray.ts', '']]))).toEqual(['stray.ts is in no room of the plan']);
  });
});
