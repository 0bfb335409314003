/** Tests that every command refuses, by name, a data directory into which other users could have written. */
import { chmodSync, chownSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Place } from './place.js';
import { whereRoot } from '../where.js';

let place: Place;
let data: string;
beforeEach(async () => {
  place = await new Place().ready();
  data = join(place.directory, 'data');
  mkdirSync(join(data, 'terminals', '0'), { recursive: true, mode: 0o700 });
});
afterEach(async () => {
  rmSync(data, { recursive: true, force: true });
  await place.close();
});

const NOBODY = 65_534;
const { it: asRoot } = whereRoot();

async function expectRefusal(path: string, cure: string): Promise<void> {
  for (const args of [['serve'], ['new', '--', 'true'], ['ls'], ['key', 'create']]) {
    const { code, stdout, stderr } = await place.start(args).ended();
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
    expect(stderr).toContain('TENACITTY_DATA_DIR is');
    expect(stderr).toContain(path);
    expect(stderr).toContain(cure);
  }
}

describe('TENACITTY_DATA_DIR', () => {
  it.each([0o777, 0o770, 0o1777])('is refused if others can write to it, with advice: %o', async (mode) => {
    chmodSync(data, mode);
    await expectRefusal(data, `chmod 700 ${data}`);
  });

  it.each(['terminals', 'terminals/0'])('is refused if others can access its %s', async (below) => {
    chmodSync(join(data, below), 0o755);
    await expectRefusal(join(data, below), `chmod 700 ${join(data, below)}`);
  });

  it.each(['terminals', 'terminals/0'])('is refused if its %s is a link', async (below) => {
    renameSync(join(data, below), join(place.directory, 'elsewhere'));
    symlinkSync(join(place.directory, 'elsewhere'), join(data, below));
    await expectRefusal(join(data, below), 'links are not followed');
  });

  asRoot.each(['', 'terminals', 'terminals/0'])('is refused if another user owns it: /%s', async (below) => {
    chownSync(join(data, below), NOBODY, NOBODY);
    await expectRefusal(join(data, below), `belongs to another user (uid ${NOBODY}, not 0)`);
  });

  it('may be readable by others', async () => {
    chmodSync(data, 0o755);
    expect((await place.stdout('run', '--', 'echo', 'well')).trim()).toBe('well');
    expect(await place.stdout('key', 'create')).toMatch(/^tnc_/);
  });

  it('that cannot be written is reported in words, and no key is printed', async () => {
    const full = 'ulimit -f 0; exec "$@" key create';
    const { code, stdout, stderr } = await place.runInShell(full);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^tenacitty: Keys cannot be changed: EFBIG: [^\n]*\.\n$/);
    expect(readdirSync(data)).toEqual(['terminals']);
  });

  it('may be accessible to others if it holds no terminals, but not if it holds keys', async () => {
    chmodSync(data, 0o777);
    const { code, stdout, stderr } = await place
      .start(['key', 'create'], { env: { TENACITTY_PERSISTENT: 'false' } })
      .ended();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`chmod 700 ${data}`);
  });
});
