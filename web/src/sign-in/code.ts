/** Formats and checks one-time codes. Pure. */

const CODE_CHARS = 8;

/** Formats input as `XXXX-XXXX`, even if it is incomplete or was pasted without the hyphen. */
export function asCode(typed: string): string {
  const plain = typed
    .replace(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .slice(0, CODE_CHARS);
  return plain.length > 4 ? `${plain.slice(0, 4)}-${plain.slice(4)}` : plain;
}

export function isWhole(code: string): boolean {
  return code.replace('-', '').length === CODE_CHARS;
}
