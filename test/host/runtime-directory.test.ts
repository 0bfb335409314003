/** Tests the directory of sockets and locks: created private, and refused if another user could access it. */
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { privacyProblem } from '../../src/data-directory.js';
import { hostDirectory, prepareHostDirectory, socketPath } from '../../src/host/runtime-directory.js';
import { endHosts, newPlaces, openManager } from './host-under-test.js';
import { whereLinux, whereRoot } from '../where.js';

afterEach(endHosts);

const { it: onLinux } = whereLinux();
const { it: asRoot } = whereRoot();

describe('the runtime directory', () => {
  it('is created with everything below it, for its user only', () => {
    const places = newPlaces();
    const directory = prepareHostDirectory(places);
    for (const path of [places.runtimeDir, directory]) expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(prepareHostDirectory(places)).toBe(directory);
  });

  it('has a subdirectory for each data directory, whatever path leads there', () => {
    const { root, runtimeDir, dataDir } = newPlaces();
    mkdirSync(dataDir);
    symlinkSync(dataDir, join(root, 'link'));
    const directory = hostDirectory({ runtimeDir, dataDir });
    expect(hostDirectory({ runtimeDir, dataDir: join(root, 'link') })).toBe(directory);
    expect(hostDirectory({ runtimeDir, dataDir: join(root, 'other') })).not.toBe(directory);
  });

  it('is refused if others can access it, with advice', () => {
    const places = newPlaces();
    mkdirSync(places.runtimeDir);
    chmodSync(places.runtimeDir, 0o750);
    expect(() => prepareHostDirectory(places)).toThrow(`mode is 0750, which gives others access; expected 0700: chmod`);
  });

  it('is refused if it is a link or a file', () => {
    const linked = newPlaces();
    mkdirSync(join(linked.root, 'elsewhere'), { mode: 0o700 });
    symlinkSync(join(linked.root, 'elsewhere'), linked.runtimeDir);
    expect(() => prepareHostDirectory(linked)).toThrow('not a directory (links are not followed)');
    const file = newPlaces();
    writeFileSync(file.runtimeDir, '');
    expect(() => prepareHostDirectory(file)).toThrow(/cannot be used: it is not a directory.*TENACITTY_RUNTIME_DIR/);
  });

  asRoot('is refused if it belongs to another user', () => {
    const places = newPlaces();
    mkdirSync(places.runtimeDir, { mode: 0o700 });
    chownSync(places.runtimeDir, 12_345, 0);
    expect(() => prepareHostDirectory(places)).toThrow('belongs to another user (uid 12345, not 0)');
  });

  onLinux('is refused at once if no directory can be created there', () => {
    const { dataDir } = newPlaces();
    expect(() => prepareHostDirectory({ runtimeDir: '/proc/nope/below', dataDir })).toThrow(
      /ENOENT.*\/proc\/nope.*set TENACITTY_RUNTIME_DIR to another directory/,
    );
  });

  it('is refused below a file', () => {
    const { root, dataDir } = newPlaces();
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(() => prepareHostDirectory({ runtimeDir: join(file, 'below'), dataDir })).toThrow(
      /below cannot be used: .*TENACITTY_RUNTIME_DIR/,
    );
  });

  it('is checked for owner and mode', () => {
    const stats = { isDirectory: () => true, uid: 5, mode: 0o40700 };
    expect(privacyProblem(stats, 5, '/x')).toBeNull();
    expect(privacyProblem(stats, 6, '/x')).toContain('uid 5, not 6');
    expect(privacyProblem({ ...stats, mode: 0o40701 }, 5, '/x')).toContain('0701');
  });

  it('is refused if the paths of its sockets would be too long', () => {
    expect(() => socketPath(`/tmp/${'x'.repeat(200)}`, 0)).toThrow(
      /TENACITTY_RUNTIME_DIR is too long.*217 bytes.*shorter/,
    );
  });

  it('leaves nothing behind if its path is too long, not even parent directories', async () => {
    const { root, dataDir } = newPlaces();
    const before = readdirSync(root);
    const runtimeDir = join(root, 'long', 'x'.repeat(100));
    const create = openManager({ root, dataDir, runtimeDir }).create();
    await expect(create).rejects.toMatchObject({ code: 'HOST_FAILED', message: expect.stringContaining('too long') });
    expect(readdirSync(root)).toEqual(before);
  });

  it('may be relative, like the data directory', async () => {
    const { root, dataDir, runtimeDir } = newPlaces();
    const from = (path: string) => relative(process.cwd(), path);
    const given = openManager({ root, dataDir: from(dataDir), runtimeDir: from(runtimeDir) });
    const { id } = await given.create({ command: 'sleep', args: ['1000'] });
    const whole = openManager({ root, dataDir, runtimeDir });
    expect((await whole.list()).map((terminal) => terminal.id)).toEqual([id]);
    await whole.remove(id);
  });

  it('that cannot be used makes calls of a manager fail with the reason', async () => {
    const places = newPlaces();
    mkdirSync(places.runtimeDir, { mode: 0o755 });
    await expect(openManager(places).create()).rejects.toMatchObject({
      code: 'HOST_FAILED',
      message: expect.stringContaining('expected 0700') as string,
    });
  });
});
