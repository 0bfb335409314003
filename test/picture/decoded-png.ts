/** Decodes PNGs of the one kind that is produced here, validating all of their content. */
import { crc32, inflateSync } from 'node:zlib';

export interface DecodedPicture {
  readonly width: number;
  readonly height: number;
  /** Returns the colour of a pixel, as 0xRRGGBB. */
  at(x: number, y: number): number;
}

const SIGNATURE = '89504e470d0a1a0a';

export function decodePng(bytes: Buffer): DecodedPicture {
  if (bytes.toString('hex', 0, 8) !== SIGNATURE) throw new Error('This is no PNG');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const sum = bytes.readUInt32BE(at + 8 + length);
    if (sum !== crc32(bytes.subarray(at + 4, at + 8 + length))) throw new Error(`The sum of ${type} is wrong`);
    chunks.set(type, bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  if ([...chunks.keys()].join() !== 'IHDR,IDAT,IEND') throw new Error('Chunks are missing, or there are others');
  const head = chunks.get('IHDR')!;
  if (head.toString('hex', 8) !== '0802000000') throw new Error('It is not in true colours of eight bits');
  return pixelsOf(head.readUInt32BE(0), head.readUInt32BE(4), inflateSync(chunks.get('IDAT')!));
}

function pixelsOf(width: number, height: number, data: Buffer): DecodedPicture {
  const rowBytes = width * 3 + 1;
  if (data.length !== rowBytes * height) throw new Error('There are not as many pixels as is said');
  for (let y = 0; y < height; y++) if (data[y * rowBytes] !== 0) throw new Error(`Row ${y} is filtered`);
  return { width, height, at: (x, y) => data.readUIntBE(y * rowBytes + 1 + x * 3, 3) };
}
