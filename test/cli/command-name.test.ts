/** Tests that the command named in hints is one that the person can run. */
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandName } from '../../src/command-name.js';
import { MAIN, Place } from './place.js';

let place: Place;
beforeEach(() => (place = new Place()));
afterEach(() => place.close());

const own = realpathSync(MAIN);

/** Returns a server's messages from start to end. */
async function saidWith(path: string): Promise<string> {
  const server = place.start(['serve'], { stdin: null, env: { PATH: path } });
  await server.says(/Stop {2}.*\n/, 'stderr');
  server.child.kill('SIGTERM');
  return (await server.ended()).stderr;
}

/** Creates a directory for PATH in which the command links to a program. */
function linkTo(program: string): string {
  const bin = join(place.directory, 'bin');
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, 'tenacitty'), { force: true });
  symlinkSync(program, join(bin, 'tenacitty'));
  return bin;
}

it('is the program with its path in a clone that is not linked, in all messages of a server', async () => {
  const said = await saidWith('/usr/bin:/bin');
  expect(said).toContain(`other machines: node ${own} key create\n`);
  expect(said).toContain(`to end them: node ${own} kill --all)\n`);
  expect(said).toContain(`terminals keep running (to list them: node ${own} ls; to end them: node ${own} kill --all)`);
});

it('is tenacitty if PATH leads to it', async () => {
  const said = await saidWith(`${linkTo(own)}:/usr/bin:/bin`);
  expect(said).toContain('other machines: tenacitty key create\n');
  expect(said).toContain('terminals keep running (to list them: tenacitty ls; to end them: tenacitty kill --all)');
});

it('is the program with its path if PATH leads to another tenacitty first, or contains no absolute path to it', () => {
  const main = join(place.directory, "it's.js");
  writeFileSync(main, '');
  expect(commandName({ PATH: linkTo(own) }, main)).toBe(`node '${place.directory}/it'\\''s.js'`);
  const bin = linkTo(own);
  expect(commandName({ PATH: bin }, own)).toBe('tenacitty');
  expect(commandName({ PATH: 'bin:' }, own)).toBe(`node ${own}`);
});

it('is tenacitty if there is no such file, as in a bundle', () => {
  expect(commandName({ PATH: '' }, join(place.directory, 'none.js'))).toBe('tenacitty');
});
