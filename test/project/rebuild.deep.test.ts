/**
 * Tests `npm start` after a change in a copy of the project: it builds again, and does not start if the build fails.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILDS_TIMEOUT_MS, copyOfProject } from './copied-project.js';

const project = copyOfProject();
const copy = project.directory;

describe('npm start', () => {
  it(
    'builds again after a change',
    async () => {
      await project.start();
      expect((await project.start()).said).not.toContain('tenacitty: building');
      appendFileSync(join(copy, 'src', 'version.ts'), '\n');
      expect((await project.start()).said).toContain('tenacitty: building');
    },
    BUILDS_TIMEOUT_MS,
  );

  it(
    'does not start what cannot be built, and tries again the next time',
    async () => {
      appendFileSync(join(copy, 'src', 'version.ts'), 'const broken = ;\n');
      for (let attempt = 0; attempt < 2; attempt++) {
        const { said, code } = await project.start();
        expect(code).toBe(1);
        expect(said).toContain('src/version.ts');
        expect(said).toContain('The build failed; see above.');
      }
    },
    BUILDS_TIMEOUT_MS,
  );
});
