/** Tests API keys on a real disk: what is stored, who may have written the file, and two concurrent writers. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { chownSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey, hashKey, keyFilePath, readKeyFile, revokeKey } from '../../src/access/key-file.js';
import { whereRoot } from '../where.js';

const { it: asRoot } = whereRoot();

let parent: string;
let dataDir: string;
let path: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tenacitty-keys-'));
  dataDir = join(parent, 'deep', 'data');
  path = keyFilePath(dataDir);
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

describe('a new key', () => {
  it('is long, recognizable and unique', () => {
    const [a, b] = [createKey(dataDir, 'a'), createKey(dataDir, 'a')];
    expect(a.key).toMatch(/^tnc_[A-Za-z0-9_-]{43}$/);
    expect(a.key).not.toBe(b.key);
    expect(a.stored.id).not.toBe(b.stored.id);
  });

  it('is stored only as a hash, in a file and a directory that no other user can open', () => {
    const { key, stored } = createKey(dataDir, 'laptop');
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain(key);
    expect(readKeyFile(dataDir)).toMatchObject({ keys: [{ ...stored, sha256: hashKey(key).toString('hex') }] });
    expect({ file: modeOf(path), directory: modeOf(dataDir) }).toEqual({ file: '600', directory: '700' });
    expect(readdirSync(dataDir)).toEqual(['keys.json']);
  });

  it.each(['', 'a'.repeat(65), 'two\nlines', 'esc\u001b[31m'])('needs a printable name, which %j is not', (name) => {
    expect(() => createKey(dataDir, name)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  it('is not created while another command writes, and the file stays complete', () => {
    createKey(dataDir, 'first');
    writeFileSync(`${path}.new`, '');
    expect(() => createKey(dataDir, 'second')).toThrow(`remove ${path}.new`);
    expect(readKeyFile(dataDir).keys).toHaveLength(1);
  });

  it('is created, and another revoked, even if a command was killed while it wrote', () => {
    const { stored } = createKey(dataDir, 'first');
    for (const change of [() => createKey(dataDir, 'second'), () => revokeKey(dataDir, stored.id)]) {
      writeFileSync(`${path}.new`, '{');
      utimesSync(`${path}.new`, 0, 0);
      change();
    }
    expect(readKeyFile(dataDir).keys.map(({ name }) => name)).toEqual(['second']);
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  it('is not created in a directory that cannot be written', () => {
    writeFileSync(join(parent, 'file'), '');
    expect(() => createKey(join(parent, 'file'), 'a')).toThrow('Keys cannot be changed: EEXIST');
  });
});

it('does not block if the file is a pipe', () => {
  createKey(dataDir, 'a');
  rmSync(path);
  execFileSync('mkfifo', ['-m', '600', path]);
  expect(readKeyFile(dataDir)).toEqual({ keys: [], problem: `the key file ${path} is not a regular file` });
});

describe('revoking a key', () => {
  it('removes only that key', () => {
    const [a, b] = [createKey(dataDir, 'a'), createKey(dataDir, 'b')];
    expect(revokeKey(dataDir, a.stored.id)).toBe(true);
    expect(readKeyFile(dataDir).keys.map(({ id }) => id)).toEqual([b.stored.id]);
    expect(revokeKey(dataDir, a.stored.id)).toBe(false);
  });
});

describe('a key file is not trusted', () => {
  beforeEach(() => void createKey(dataDir, 'k'));

  const problem = () => {
    const read = readKeyFile(dataDir);
    expect(read.keys).toEqual([]);
    return read.problem;
  };

  it.each([0o640, 0o604, 0o620, 0o602])('with mode %o, and the error says how to fix it', (mode) => {
    chmodSync(path, mode);
    expect(problem()).toContain(`chmod 600 ${path}`);
  });

  it('in a directory that others can write to', () => {
    chmodSync(dataDir, 0o777);
    expect(problem()).toContain(`chmod 700 ${dataDir}`);
  });

  it('if it is a link', () => {
    renameSync(path, join(parent, 'elsewhere.json'));
    symlinkSync(join(parent, 'elsewhere.json'), path);
    expect(problem()).toContain('cannot be read');
  });

  it.each(['', '{', '[]', '{"version":2,"keys":[]}', '{"version":1,"keys":[{"id":"a"}]}'])(
    'that contains %s',
    (text) => {
      writeFileSync(path, text);
      expect(problem()).toContain(`the key file ${path} cannot be read`);
      expect(() => createKey(dataDir, 'more')).toThrow('Keys cannot be changed');
    },
  );

  asRoot('if it or its directory belongs to another user', () => {
    chownSync(path, 12_345, 12_345);
    expect(problem()).toContain('another user (uid 12345)');
    chownSync(path, 0, 0);
    chownSync(dataDir, 12_345, 12_345);
    expect(problem()).toContain('another user (uid 12345, not 0)');
  });
});

describe('a missing key file', () => {
  it('means that there are no keys, without a problem', () => {
    expect(readKeyFile(dataDir)).toEqual({ keys: [] });
  });
});
