import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupsOf, readConfiguration, replaceConfiguration } from './configuration-file.js';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'tenacitty-file-'))));
afterEach(() => rmSync(directory, { recursive: true }));
const path = () => join(directory, 'x.json');

it('is not written over what another program has written since', () => {
  writeFileSync(path(), 'one');
  const [present, missing] = [readConfiguration(path()), readConfiguration(join(directory, 'new'))];
  writeFileSync(path(), 'two');
  writeFileSync(join(directory, 'new'), 'made');
  for (const file of [present, missing]) {
    for (const text of ['three', null]) {
      expect(() => replaceConfiguration(file, text, false)).toThrow(
        expect.objectContaining({ code: 'WRITE_FAILED', message: expect.stringContaining('Another program') }),
      );
    }
  }
  expect(readdirSync(directory).sort()).toEqual(['new', 'x.json']);
  expect(readFileSync(path(), 'utf8')).toBe('two');
});

it('keeps each earlier text, newest first, even within one millisecond', () => {
  writeFileSync(path(), '0');
  const texts = Array.from({ length: 25 }, (_, index) => String(index + 1));
  for (const text of texts) replaceConfiguration(readConfiguration(path()), text, false);
  expect(backupsOf(readConfiguration(path()))).toEqual(Array.from({ length: 20 }, (_, index) => String(24 - index)));
});
