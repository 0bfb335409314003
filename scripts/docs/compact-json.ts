/** Formats JSON in few lines for the examples in the documentation. Pure. */

const WIDTH = 116;
const INDENT = '  ';

/** Formats a value like `JSON.stringify`, but with as many members per line as fit. */
export function compactJson(value: unknown): string {
  const line = inOneLine(value);
  if (line.length <= WIDTH || value === null || typeof value !== 'object') return line;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${filled(membersOf(value)).replace(/^/gm, INDENT)}\n${close}`;
}

function membersOf(value: object): string[] {
  if (Array.isArray(value)) return value.map(compactJson);
  return Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${compactJson(member)}`);
}

/** Fills lines with members. A multi-line member starts on the current line if its first line fits there. */
function filled(members: readonly string[]): string {
  return members.reduce((text, member) => {
    const lastLine = text.slice(text.lastIndexOf('\n') + 1);
    const next = member.split('\n', 1)[0]!;
    return `${text},${lastLine.length + next.length + 2 > WIDTH ? '\n' : ' '}${member}`;
  });
}

function inOneLine(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${inOneLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
