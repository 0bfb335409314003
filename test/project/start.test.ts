/** Tests `npm start` in a new copy of the project: what is set up, when setup is skipped, and that it then serves. */
import { appendFileSync, existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// @ts-expect-error -- a script without types, made to run where nothing is installed
import { platformProblem } from '../../scripts/setup.mjs';
import { BUILDS_TIMEOUT_MS, copyOfProject } from './copied-project.js';

const project = copyOfProject();
const copy = project.directory;

describe('npm start', () => {
  it(
    'installs and builds what is missing, reports it, and serves',
    async () => {
      const { said } = await project.start();
      expect(said).toContain('tenacitty: installing packages');
      expect(said).toContain('npm was called: ci --include=dev');
      expect(said).toContain('tenacitty: building');
      expect(said).toMatch(/is at http:\/\/127\.0\.0\.1:\d+/);
      expect(existsSync(join(copy, 'dist', 'cli', 'main.js'))).toBe(true);
    },
    BUILDS_TIMEOUT_MS,
  );

  it('does nothing more the second time, and passes flags on', async () => {
    const { said } = await project.start('--host', 'localhost');
    expect(said).not.toMatch(/building|installing/);
    expect(said).toContain('is at http://localhost:');
  });

  it('installs again if the lock file changed, but not because of what npm has installed since', async () => {
    appendFileSync(join(copy, 'package-lock.json'), '\n');
    expect((await project.start()).said).toContain('npm was called');
    appendFileSync(join(copy, 'package-lock.json'), '\n');
    writeFileSync(join(copy, 'node_modules', '.package-lock.json'), '');
    expect((await project.start()).said).not.toContain('npm was called');
  });

  it('never lets npm empty a folder to which node_modules is a link', async () => {
    const [modules, elsewhere] = [join(copy, 'node_modules'), join(copy, 'elsewhere')];
    renameSync(modules, elsewhere);
    symlinkSync(elsewhere, modules);
    appendFileSync(join(copy, 'package-lock.json'), '\n');
    const { said, code } = await project.start();
    expect({ code, called: said.includes('npm was called') }).toEqual({ code: 1, called: false });
    expect(said).toContain('is a symbolic link. Run npm ci in the directory it points to');
    rmSync(modules);
    renameSync(elsewhere, modules);
  });
});

describe('the platform', () => {
  const good = { version: 'v20.19.0', platform: 'linux', isMusl: false };

  it('is supported with glibc Linux or macOS and a recent Node', () => {
    for (const facts of [good, { ...good, platform: 'darwin' }, { ...good, version: 'v26.0.0' }]) {
      expect(platformProblem(facts)).toBeUndefined();
    }
  });

  it.each([
    [{ version: 'v20.18.3' }, 'Node 20.19 or newer is required; this is v20.18.3'],
    [{ version: 'v18.99.0' }, 'Node 20.19 or newer is required'],
    [{ platform: 'win32' }, 'use WSL'],
    [{ isMusl: true }, 'glibc is required; this is musl'],
  ])('is refused with a message otherwise: %j', (facts, words) => {
    expect(platformProblem({ ...good, ...facts })).toContain(words);
  });
});
