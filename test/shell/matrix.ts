/**
 * Which case holds in which shell: what the tests of each shell have found, kept as files beside them, and the page that
 * is made of these. It runs no case.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHELLS } from './shell-at-work.js';
import type { ShellCase, ShellName } from './shell-at-work.js';

export type Subjects = Readonly<Record<string, readonly ShellCase[]>>;
/** Whether each case holds, by `caseKey`. */
export type Findings = Readonly<Record<string, boolean>>;

const PLACE = join(import.meta.dirname, 'results');
const NAMES = Object.keys(SHELLS) as ShellName[];

export function caseKey(subject: string, name: string): string {
  return `${subject}: ${name}`;
}

export function appliesTo({ differs }: ShellCase, name: ShellName): boolean {
  return differs?.[name] === undefined;
}

/** Keeps what was found with one shell; whole at each moment, for others may read it meanwhile. */
export function keepFindings(name: ShellName, findings: Findings): void {
  mkdirSync(PLACE, { recursive: true });
  const fresh = `${fileOf(name)}.new`;
  writeFileSync(fresh, `${JSON.stringify(findings, null, 2)}\n`);
  renameSync(fresh, fileOf(name));
}

/** What was found with each shell last; nothing for one that was never tried. */
export function keptFindings(): Readonly<Record<ShellName, Findings>> {
  const read = (name: ShellName): Findings =>
    existsSync(fileOf(name)) ? (JSON.parse(readFileSync(fileOf(name), 'utf8')) as Findings) : {};
  return Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Record<ShellName, Findings>;
}

/** The page docs/shells.md. */
export function shellsPage(subjects: Subjects, findings: Readonly<Record<ShellName, Findings>>): string {
  const sections = Object.entries(subjects).map(([subject, cases]) => {
    const notes = new Notes();
    const rows = cases.map((one) => {
      const cells = NAMES.map((name) => cell(one, name, findings[name][caseKey(subject, one.name)], notes));
      return `| ${one.name.replaceAll('|', '\\|')} | ${cells.join(' | ')} |`;
    });
    return [`## ${subject[0]!.toUpperCase()}${subject.slice(1)}`, '', HEAD, ...rows, ...notes.text()].join('\n');
  });
  const count = Object.values(subjects).flat().length;
  return [INTRODUCTION.replace('COUNT', String(count)), ...sections].join('\n\n') + '\n';
}

/** Sentences below a table, each once, by their marks in it. */
class Notes {
  readonly #sentences: string[] = [];

  /** The mark of a sentence: a, b, c. */
  mark(sentence: string): string {
    if (!this.#sentences.includes(sentence)) this.#sentences.push(sentence);
    return letter(this.#sentences.indexOf(sentence));
  }

  text(): readonly string[] {
    if (this.#sentences.length === 0) return [];
    return ['', 'Known differences:', '', ...this.#sentences.map((sentence, i) => `- **${letter(i)}**: ${sentence}`)];
  }
}

/** No table has more than 26. */
function letter(index: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + index);
}

const HEAD = `| A shell that … | ${NAMES.join(' | ')} |\n| --- |${' --- |'.repeat(NAMES.length)}`;

const INTRODUCTION = `# Shells

What [commands](commands.md) are held to in each shell that can be followed: COUNT cases, each tried in real shells by the
tests in \`test/shell/cases/\`. This page is made of what they have found last, by \`npm run docs\`.

**ok**: it holds. A letter: a known difference, told below the table; most are things that the shell does not have. **no**: it
does not hold. **?**: not tried yet.`;

function cell(one: ShellCase, name: ShellName, holds: boolean | undefined, notes: Notes): string {
  const difference = one.differs?.[name];
  if (difference !== undefined) return notes.mark(difference);
  return holds === undefined ? '?' : holds ? 'ok' : '**no**';
}

function fileOf(name: ShellName): string {
  return join(PLACE, `${name}.json`);
}
