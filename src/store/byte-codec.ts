/**
 * Encodes and decodes strings, fixed 32-bit numbers, and variable-length integers up to 2^53 (LEB128, with zigzag
 * encoding for signed ones).
 */

const FIRST_CAPACITY = 64 << 10;
const MOST_VARINT_BYTES = 8;
/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const MOST_BYTES_PER_UNIT = 3;

/** A growing byte buffer; reusable after `clear`. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Returns a copy of all bytes so far. */
  copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  /** Returns the bytes starting at `from`; valid until the next change. */
  view(from: number): Buffer {
    return this.#bytes.subarray(from, this.#length);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Writes a 32-bit number, lowest byte first. */
  uint32(value: number): void {
    this.#reserve(4);
    this.#length = this.#bytes.writeUInt32LE(value, this.#length);
  }

  /** Overwrites the 32-bit number at `at`. */
  patchUint32(at: number, value: number): void {
    this.#bytes.writeUInt32LE(value, at);
  }

  /** Writes a non-negative integer. */
  varint(value: number): void {
    this.#reserve(MOST_VARINT_BYTES);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest = rest < 0x8000_0000 ? rest >>> 7 : Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Writes a byte and then a non-negative integer, which is all that most lines consist of. */
  byteAndVarint(byte: number, value: number): void {
    this.#reserve(2);
    const at = this.#length;
    this.#bytes[at] = byte;
    if (value < 0x80) {
      this.#bytes[at + 1] = value;
      this.#length = at + 2;
    } else {
      this.#length = at + 1;
      this.varint(value);
    }
  }

  /** Writes a signed integer of at most 52 bits. */
  signed(value: number): void {
    this.varint(value < 0 ? -value * 2 - 1 : value * 2);
  }

  /** Writes a string, preceded by its length. A lone surrogate becomes U+FFFD. */
  text(value: string): void {
    this.varint(Buffer.byteLength(value));
    this.#reserve(value.length * MOST_BYTES_PER_UNIT);
    this.#length += this.#bytes.write(value, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#length + count));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/**
 * Reads what a `ByteWriter` wrote. Reading past the end returns meaningless values but does not throw: check
 * `isPastEnd`.
 */
export class ByteReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Buffer, from: number, end: number) {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = end;
  }

  get at(): number {
    return this.#at;
  }

  get isPastEnd(): boolean {
    return this.#at > this.#end;
  }

  byte(): number {
    return this.#at < this.#end ? this.#bytes[this.#at++]! : (this.#at++, 0);
  }

  uint32(): number {
    return this.byte() + this.byte() * 0x100 + this.byte() * 0x1_0000 + this.byte() * 0x100_0000;
  }

  varint(): number {
    let byte = this.byte();
    let value = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = this.byte();
      value += (byte & 0x7f) * scale;
    }
    return value;
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  text(): string {
    const length = this.varint();
    const from = this.#at;
    this.#at += length;
    return this.#bytes.toString('utf8', from, Math.min(this.#at, this.#end));
  }
}
