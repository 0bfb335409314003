/** Tests that records are read as they were written, or not at all. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { z } from 'zod';
import { readRecord, writeRecord } from '../../src/store/record-file.js';

const SCHEMA = z.strictObject({ name: z.string(), count: z.int() });
const VALUE = { name: 'größer ➜ 漢 \ud800', count: 3 };

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tenacitty-record-'));
  path = join(directory, 'record.json');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('a record', () => {
  it('is read as it was written, is JSON, and is private', async () => {
    const property = fc.asyncProperty(fc.jsonValue(), async (value) => {
      await writeRecord(path, value);
      const expected: unknown = JSON.parse(JSON.stringify(value));
      expect(readRecord(path, z.unknown())).toEqual(expected);
      expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ record: expected });
      expect(statSync(path).mode & 0o777).toBe(0o600);
    });
    await fc.assert(property, { numRuns: 50 });
    expect(readdirSync(directory)).toEqual(['record.json']);
  });

  it('is null if it was cut or any byte of it changed', async () => {
    await writeRecord(path, VALUE);
    const bytes = readFileSync(path);
    expect(readRecord(path, SCHEMA)).toEqual(VALUE);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 0x01;
      for (const damaged of [changed, bytes.subarray(0, at)]) {
        writeFileSync(path, damaged);
        expect(readRecord(path, SCHEMA)).toBeNull();
      }
    }
  });

  it('is null if the file is something else', async () => {
    expect(readRecord(path, SCHEMA)).toBeNull();
    writeFileSync(path, JSON.stringify(VALUE));
    expect(readRecord(path, SCHEMA)).toBeNull();
    await writeRecord(path, { ...VALUE, more: true });
    expect(readRecord(path, SCHEMA)).toBeNull();
    await writeRecord(join(directory, 'other.json'), VALUE);
    symlinkSync(join(directory, 'other.json'), join(directory, 'link.json'));
    expect(readRecord(join(directory, 'link.json'), SCHEMA)).toBeNull();
    execFileSync('mkfifo', [join(directory, 'pipe.json')]);
    expect(readRecord(join(directory, 'pipe.json'), SCHEMA)).toBeNull();
    expect(readRecord(directory, SCHEMA)).toBeNull();
  });

  it('is the one written last, of many concurrent writes', async () => {
    const numbers = Array.from({ length: 50 }, (_, i) => i);
    await Promise.all(
      numbers.map((count) => writeRecord(path, { name: 'x'.repeat(count % 7 === 0 ? 1e6 : 1), count })),
    );
    expect(readRecord(path, SCHEMA)).toMatchObject({ count: 49 });
    expect(readdirSync(directory)).toEqual(['record.json']);
  });

  it('stays unchanged if the next cannot be written', async () => {
    mkdirSync(path);
    await expect(writeRecord(path, VALUE)).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(writeRecord(join(directory, 'none', 'record.json'), VALUE)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(readdirSync(directory)).toEqual(['record.json']);
    rmSync(path, { recursive: true });
    await writeRecord(path, VALUE);
    const circle: unknown[] = [];
    circle.push(circle);
    await expect(writeRecord(path, circle)).rejects.toThrow('circular');
    await expect(writeRecord(path, undefined)).rejects.toThrow('JSON');
    expect(readRecord(path, SCHEMA)).toEqual(VALUE);
  });
});
