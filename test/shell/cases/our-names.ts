/** The parts of a shell's integration: the names of its functions and variables, from its script. */
import { readFileSync } from 'node:fs';
import { commandLine, shellKind } from '../../../src/shell/shells.js';
import type { ShellKind } from '../../../src/shell/shells.js';
import { DEEP } from '../../deep.js';
import type { ShellAtWork } from '../shell-at-work.js';

const SCRIPTS = new URL('../../../src/shell/scripts/', import.meta.url);

/** Damage to one of them, and the command that causes it. */
export interface Damage {
  readonly what: string;
  readonly command: string;
}

/** Each of them removed and, in the deep run, each replaced. */
export function damagesOf(at: ShellAtWork): Damage[] {
  const { functions, variables } = ourNames(at);
  return [...functions.flatMap((name) => ofFunction(at, name)), ...variables.flatMap((name) => ofVariable(at, name))];
}

export function ourNames(at: ShellAtWork): { readonly functions: string[]; readonly variables: string[] } {
  const kind = shellKind(at.name) ?? 'sh';
  const script = readFileSync(new URL(`tenacitty.${kind}`, SCRIPTS), 'utf8');
  const functions = namesIn(script, /(?:^function |^ *|\{ )(__tenacitty_\w+)(?=\(\)|$| --on-event)/gm, kind);
  const all = namesIn(`${script}${commandLine(kind, 1)}`, /(__tenacitty_\w+)/g, kind);
  return { functions, variables: all.filter((name) => !functions.includes(name)) };
}

function namesIn(script: string, pattern: RegExp, kind: ShellKind): string[] {
  const text = kind === 'fish' ? script : script.replace(/^\s*#.*$/gm, '');
  return [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))];
}

function ofFunction(at: ShellAtWork, name: string): Damage[] {
  const replaced = (status: number): string =>
    at.isFish ? `function ${name}; return ${status}; end` : `${name}() { return ${status}; }`;
  const removed = { what: `${name}: removed`, command: at.isFish ? `functions -e ${name}` : `unset -f ${name}` };
  if (!DEEP) return [removed];
  return [
    removed,
    { what: `${name}: succeeds`, command: replaced(0) },
    { what: `${name}: fails`, command: replaced(9) },
  ];
}

function ofVariable(at: ShellAtWork, name: string): Damage[] {
  const unset = { what: `${name}: unset`, command: at.isFish ? `set -e ${name}; true` : `unset ${name}` };
  if (!DEEP) return [unset];
  return [
    unset,
    ...['0', 'x y', '999999'].map((value) => ({
      what: `${name}: ${value}`,
      command: at.isFish ? `set -g ${name} '${value}'` : `${name}='${value}'`,
    })),
  ];
}
