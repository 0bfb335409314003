/** Formats Markdown elements: tables, code fences and links. Pure. */

/** Returns a table. The first row of cells contains the headings. */
export function table([titles = [], ...cells]: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => '---'), ...cells].map(line).join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

export function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** Returns a link to a heading on a page. */
export function linkTo(heading: string, page: string): string {
  const anchor = heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
  return `[${heading}](${page}#${anchor})`;
}

/** Joins paragraphs and omits empty ones. */
export function paragraphs(parts: readonly string[]): string {
  return parts.filter(Boolean).join('\n\n');
}
