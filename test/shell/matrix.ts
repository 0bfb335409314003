/**
 * Generates docs/shells.md: which case holds in which shell. The tests of each shell run every case that the page marks
 * as ok.
 */
import { SHELLS } from './shell-at-work.js';
import type { ShellCase, ShellName } from './shell-at-work.js';

export type Subjects = Readonly<Record<string, readonly ShellCase[]>>;

const NAMES = Object.keys(SHELLS) as ShellName[];

export function appliesTo({ differs }: ShellCase, name: ShellName): boolean {
  return differs?.[name] === undefined;
}

/** Returns the page docs/shells.md. */
export function shellsPage(subjects: Subjects): string {
  const sections = Object.entries(subjects).map(([subject, cases]) => {
    const notes = new Notes();
    const rows = cases.map((one) => {
      const cells = NAMES.map((name) => cell(one, name, notes));
      return `| ${one.name.replaceAll('|', '\\|')} | ${cells.join(' | ')} |`;
    });
    return [`## ${subject[0]!.toUpperCase()}${subject.slice(1)}`, '', HEAD, ...rows, ...notes.text()].join('\n');
  });
  const count = Object.values(subjects).flat().length;
  return [INTRODUCTION.replace('COUNT', String(count)), ...sections].join('\n\n') + '\n';
}

/** Footnotes of a table, each once, by their marks. */
class Notes {
  readonly #sentences: string[] = [];

  /** Returns the mark of a footnote: a, b, c. */
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

This page lists the COUNT cases with which [commands](commands.md) are tested in each shell that shell integration
supports. The tests in \`test/shell/cases/\` run them in real shells; \`npm run test:deep\` runs every case in all six
shells. \`npm run docs\` writes this page.

**ok** means that the case holds. A letter refers to a known difference, which is explained below the table. Most
differences are features that the shell lacks.`;

function cell(one: ShellCase, name: ShellName, notes: Notes): string {
  const difference = one.differs?.[name];
  return difference === undefined ? 'ok' : notes.mark(difference);
}
