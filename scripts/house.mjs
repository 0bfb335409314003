/**
 * `npm run house`: prints measures of the sources: lines, folders, and imports. Tests and declarations do not count.
 * The limits are in HACKING.md.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importsOf, PLAN } from '../test/project/imports.ts';

const ROOT = join(import.meta.dirname, '..');
const MANIFEST = join(ROOT, 'package.json');
const PACKAGES = readdirSync(join(ROOT, 'packages')).map((name) => join('packages', name, 'src'));
const MAX_FILES_IN_FOLDER = 30;

const sources = readSources('src');
const lines = linesOf(sources);
const largest = lines.reduce((most, one) => (one.count > most.count ? one : most));
const imports = importsWithin(sources);

print('files in src/', sources.size);
print('lines in src/', sum(lines.map(({ count }) => count)));
print('largest file', `${largest.count} (${largest.name})`);
print('files above 400 lines', lines.filter(({ count }) => count > 400).length);
print(`folders above ${MAX_FILES_IN_FOLDER} files`, fullFolders().join(', ') || 'none');
print('import cycles between files (including types and lazy imports)', circlesOf(imports).length);
print('rooms that import each other', roomsInCircles().join(', ') || 'none');
print('entries of the import plan that name a single file', fileEntries().join(', ') || 'none');
print('accesses to private fields of xterm.js', privateAccesses());
print('production dependencies', Object.keys(JSON.parse(readFileSync(MANIFEST, 'utf8')).dependencies).length);
PACKAGES.forEach(printPackage);

function print(what, value) {
  process.stdout.write(`${what.padEnd(52)} ${value}\n`);
}

function sum(numbers) {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Keyed by path relative to the folder. */
function readSources(folder) {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return new Map(
    names
      .filter((name) => name.endsWith('.ts') && !/\.(test|d)\.ts$/.test(name))
      .map((name) => [name, readFileSync(join(ROOT, folder, name), 'utf8')]),
  );
}

function linesOf(files) {
  return [...files].map(([name, text]) => ({ name, count: text.split('\n').length - 1 }));
}

function printPackage(folder) {
  const files = readSources(folder);
  print(`lines in ${folder}/`, sum(linesOf(files).map(({ count }) => count)));
  print(`import cycles in ${folder}/`, circlesOf(importsWithin(files)).length);
}

/** Returns which of the other files each file imports. */
function importsWithin(files) {
  return new Map(
    [...files].map(([name, text]) => [name, ownImports(name, text).filter((target) => files.has(target))]),
  );
}

function ownImports(name, text) {
  const targets = importsOf(name, text).filter(({ isOwn }) => isOwn);
  return [...new Set(targets.map(({ target }) => target))];
}

function fullFolders() {
  const folders = groupedByFolder();
  return [...folders]
    .filter(([, files]) => files.length > MAX_FILES_IN_FOLDER)
    .map(([folder, { length }]) => `${folder} (${length})`);
}

function groupedByFolder() {
  const folders = new Map();
  for (const name of sources.keys()) folders.set(dirname(name), [...(folders.get(dirname(name)) ?? []), name]);
  return folders;
}

/** Returns the strongly connected groups of nodes, by Tarjan's algorithm. */
function circlesOf(graph) {
  const [index, low, onStack, stack, circles] = [new Map(), new Map(), new Set(), [], []];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    onStack.add(node);
    for (const next of graph.get(node)) {
      if (!index.has(next)) visit(next);
      if (onStack.has(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    for (const one of circle) onStack.delete(one);
    if (circle.length > 1) circles.push(circle);
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return circles;
}

function roomsInCircles() {
  const rooms = new Map();
  for (const [name, targets] of imports) {
    const to = rooms.get(roomOf(name)) ?? new Set();
    for (const target of targets) if (roomOf(target) !== roomOf(name)) to.add(roomOf(target));
    rooms.set(roomOf(name), to);
  }
  return circlesOf(rooms).map((circle) => circle.sort().join(' ↔ '));
}

/** The top-level folder of a file; a file outside of any folder counts as one of its own. */
function roomOf(name) {
  return name.split('/')[0];
}

function fileEntries() {
  const entries = Object.entries(PLAN).flatMap(([room, { rooms }]) => rooms.map((target) => [room, target]));
  return entries.filter(([, target]) => target.includes('/')).map(([room, target]) => `${room} → ${target}`);
}

/**
 * Matched by name: in the one folder that uses the emulator, names that start with an underscore are its private
 * members.
 */
function privateAccesses() {
  const texts = [...sources].filter(([name]) => name.startsWith('screen/')).map(([, text]) => text);
  return sum(texts.map((text) => text.match(/(?<=[.{,]\s?)_[a-z]\w+/g)?.length ?? 0));
}
