/** Formats the difference between two versions of a file as a unified diff for patch(1). Pure. */

const CONTEXT_LINES = 3;

/**
 * Returns one hunk that covers the first to the last differing line, or an empty string if the versions are equal. A
 * version is null if there is no file.
 */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
  if (before === after) return '';
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const head = commonLines(old, fresh);
  const tail = Math.min(commonLines(old.toReversed(), fresh.toReversed()), Math.min(old.length, fresh.length) - head);
  const from = Math.max(0, head - CONTEXT_LINES);
  const behind = old.slice(old.length - tail, old.length - tail + CONTEXT_LINES);
  const taken = old.slice(head, old.length - tail);
  const added = fresh.slice(head, fresh.length - tail);
  const around = head - from + behind.length;
  const body = [
    ...marked(' ', old.slice(from, head)),
    ...marked('-', taken),
    ...marked('+', added),
    ...marked(' ', behind),
  ];
  const header = `@@ -${range(from, taken.length + around)} +${range(from, added.length + around)} @@\n`;
  return `--- ${before === null ? '/dev/null' : path}\n+++ ${after === null ? '/dev/null' : path}\n${header}${body.join('')}`;
}

/** Returns the lines, including their line endings. */
function linesOf(text: string | null): string[] {
  return text?.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function commonLines(a: readonly string[], b: readonly string[]): number {
  const differing = a.findIndex((line, index) => line !== b[index]);
  return differing < 0 ? a.length : differing;
}

/** Formats a range of lines. An empty range is denoted by the number of the line before it. */
function range(from: number, length: number): string {
  return `${length === 0 ? from : from + 1},${length}`;
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.map((line) => (line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`));
}
