/** Finds incomplete characters at the end of UTF-8 data. Pure. */

/** Returns the number of bytes at the end that belong to an incomplete character: 0 to 3. */
export function cutOffLength(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return characterLength(byte) > back ? back : 0;
  }
  return 0;
}

/** Returns the length in bytes of the character that starts with this byte. */
function characterLength(lead: number): number {
  if (lead >= 0xf0) return lead < 0xf8 ? 4 : 1;
  return lead >= 0xe0 ? 3 : 2;
}
