/** Tests what a server knows of the key file while the system prevents reading it, and afterwards. */
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../../src/access/key-file.js';
import { KeyRing } from '../../src/access/key-ring.js';
import { whereLinux } from '../where.js';

const { it: onLinux } = whereLinux();
const SPARE_DESCRIPTORS = 40;

let dataDir: string;
let errors: string[];
let ring: KeyRing;
let key: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tenacitty-ring-'));
  errors = [];
  ring = new KeyRing(dataDir, [], (_level, message) => void errors.push(message));
  ({ key } = createKey(dataDir, 'laptop'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const taken = { principal: expect.objectContaining({ name: 'laptop' }) };

it('accepts a key again once others can no longer write to the directory, even if the file is unchanged', () => {
  chmodSync(dataDir, 0o777);
  for (let i = 0; i < 3; i++) expect(ring.find(key)).toEqual({ reason: expect.any(String) });
  chmodSync(dataDir, 0o700);
  expect(ring.find(key)).toEqual(taken);
  // The same problem is reported only once.
  expect(errors).toEqual([expect.stringContaining('API keys are not accepted')]);
});

/** Uses up all descriptors that this process may have, until `done` has returned. */
function withoutDescriptors(done: () => void): void {
  const limit = (nofile: string): string =>
    execFileSync('prlimit', ['--pid', String(process.pid), ...nofile.split(' ')]).toString();
  const [soft] = limit('--nofile --output SOFT --noheadings').trim().split(/\s+/);
  limit(`--nofile=${readdirSync('/proc/self/fd').length + SPARE_DESCRIPTORS}:`);
  const taken: number[] = [];
  try {
    expect(() => {
      for (;;) taken.push(openSync('/dev/null', 'r'));
    }).toThrow('EMFILE');
    done();
  } finally {
    for (const descriptor of taken) closeSync(descriptor);
    limit(`--nofile=${soft}:`);
  }
}

onLinux('accepts a key again when there are descriptors again', () => {
  withoutDescriptors(() => expect(ring.find(key)).toEqual({ reason: expect.any(String) }));
  expect(ring.find(key)).toEqual(taken);
  expect(errors).toEqual([expect.stringContaining('EMFILE')]);
});
