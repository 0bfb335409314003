/** Tests that docs/library.md matches the sources and names everything in the library's interface. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METHOD_NAMES } from '../../src/contract/methods.js';
import { withLibrary } from './library-page.js';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
const page = readFileSync(join(DOCS, 'library.md'), 'utf8');
const headings = (document: string) => [...document.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!);
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

describe('docs/library.md', () => {
  it('is what `npm run docs` writes', () => {
    expect(withLibrary(page)).toBe(page);
  });

  it('describes each method and function', () => {
    const functions = [
      'execInNewTerminal',
      'followExec',
      'followCommand',
      'runProgram',
      'followProgram',
      'endOnSignal',
    ];
    expect(headings(page)).toEqual(expect.arrayContaining([...METHOD_NAMES, 'close', 'shutdown', ...functions]));
    for (const part of page.split('\n### ').slice(1)) expect(part).toMatch(/^(\w+)\n\n```ts\n\1\([^]*?\n```\n\n[A-Z`]/);
  });

  it('links to existing headings', () => {
    for (const [, file, anchor] of page.matchAll(/\]\(([\w./]*)#([\w-]+)\)/g)) {
      const target = file === '' ? page : readFileSync(join(DOCS, file!), 'utf8');
      expect(headings(target).map(anchorOf)).toContain(anchor);
    }
  });
});
