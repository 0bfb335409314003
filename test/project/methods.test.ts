/** A method of the manager is added in two places: its row in the table, and its answer in the engine. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { METHOD_NAMES } from '../../src/contract/methods.js';

const TABLE = 'src/contract/methods.ts';
const ENGINE = 'src/terminal/terminal-manager.ts';
/** What stands between a caller and the engine. */
const BETWEEN = ['src/host', 'src/access/policy'];

/** What more a method needs: where several hosts answer, where a call is made again, where a policy judges. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  create: ['src/access/policy/policed-manager.ts', 'src/host/hosts.ts', 'src/host/remote-manager.ts'],
  list: ['src/host/remote-manager.ts'],
  summary: ['src/host/remote-manager.ts'],
  get: ['src/host/remote-manager.ts'],
  update: ['src/host/remote-manager.ts'],
  wait: ['src/host/remote-manager.ts'],
  // That of the successor is of a process.
  kill: ['src/host/remote-manager.ts', 'src/host/successor.ts'],
  remove: ['src/host/remote-manager.ts'],
  subscribe: ['src/host/host-link.ts', 'src/host/remote-manager.ts'],
  watch: ['src/host/host-link.ts', 'src/host/remote-manager.ts'],
  write: ['src/access/policy/policed-manager.ts'],
  exec: ['src/access/policy/policed-manager.ts', 'src/host/remote-manager.ts'],
  integrate: ['src/access/policy/policed-manager.ts'],
  collect: ['src/access/policy/policed-manager.ts'],
  // That of the server is of requests.
  answer: ['src/access/policy/policed-manager.ts', 'src/host/server.ts'],
  overview: ['src/host/remote-manager.ts'],
  drawn: ['src/host/remote-manager.ts'],
};

const files = [TABLE, ENGINE, ...BETWEEN.flatMap(sourcesIn)];
const declared = files.flatMap((name) => methodsIn(name).map((method) => ({ name, method })));

it.each(METHOD_NAMES)('%s', (method) => {
  const places = new Set(declared.filter((one) => one.method === method).map(({ name }) => name));
  expect([...places].sort()).toEqual([TABLE, ENGINE, ...(MORE[method] ?? [])].sort());
});

function sourcesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).map((name) => join(folder, name));
}

/** The methods that have a row, a function in a table, or a method of a class there. */
function methodsIn(name: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isAnswer(node) || (name === TABLE && ts.isPropertyAssignment(node))) found.push(node.name.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, readFileSync(name, 'utf8'), ts.ScriptTarget.Latest, true));
  return found;
}

function isAnswer(node: ts.Node): node is ts.MethodDeclaration | ts.PropertyAssignment {
  return ts.isMethodDeclaration(node) || (ts.isPropertyAssignment(node) && ts.isArrowFunction(node.initializer));
}
