/** Encodes RGB pixels as a compressed PNG. */
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Three bytes per pixel, row by row. */
  readonly rgb: Uint8Array;
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const BITS_A_COLOUR = 8;
const TRUE_COLOUR = 2;
const NO_FILTER = 0;
const BYTES_A_PIXEL = 3;

/** Compresses outside the event loop. */
export async function encodePng({ width, height, rgb }: Pixels): Promise<Buffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([BITS_A_COLOUR, TRUE_COLOUR], 8);
  const rowBytes = width * BYTES_A_PIXEL;
  const rows = Buffer.alloc((rowBytes + 1) * height, NO_FILTER);
  for (let y = 0; y < height; y++) rows.set(rgb.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1);
  const data = await promisify(deflate)(rows);
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}
