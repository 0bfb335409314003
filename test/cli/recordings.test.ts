/** Tests `tenacitty export`, `play` and `rec`, with files and in a person's own terminal. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedPlace } from './place.js';
import type { Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

it('exports a terminal to stdout', async () => {
  const id = await place.ended('echo hello');
  expect((await place.stdout('export', id)).split('\n')[1]).toBe('[0,"o","hello\\r\\n"]');
});

it('exports a terminal to a file, in the format that is asked for', async () => {
  const id = await place.ended('echo hello');
  expect(await place.stdout('export', id, '--format', 'text', '-o', 'lines.txt')).toBe('');
  expect(readFileSync(join(place.directory, 'lines.txt'), 'utf8')).toBe('hello\n');
  expect(await place.run('export', id, '-o', 'no/such/place')).toMatchObject({ code: 1, stdout: '' });
});

it('plays a terminal and a file', async () => {
  const id = await place.ended('echo hello');
  writeFileSync(join(place.directory, 'hello.cast'), '{"version":2}\n[0,"o","from a file\\r\\n"]\n');
  expect(await place.stdout('play', '--speed', '100', 'hello.cast')).toBe('from a file\r\n');
  expect(await place.stdout('play', '--speed', '100', id)).toBe('hello\r\n');
});

it('rejects what is no recording', async () => {
  writeFileSync(join(place.directory, 'bad.cast'), '{"version":3}\nnonsense\n');
  expect(await place.run('play', 'bad.cast')).toMatchObject({ code: 2, stderr: expect.stringContaining('line 2') });
  expect(await place.run('play', './none.cast')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('none.cast'),
  });
  expect((await place.run('play', 'ffff')).code).toBe(3);
  expect((await place.run('play', '--speed', '0', 'bad.cast')).code).toBe(2);
});

/** Events a minute apart, which no test waits for. */
const SLOW = [
  '{"version":3}',
  '[0,"o","one\\r\\n"]',
  '[60,"m","second"]',
  '[0,"o","two\\r\\n"]',
  '[60,"o","three\\r\\n"]',
  '[60,"o","four\\r\\n"]',
];

it('goes on, back and to commands by keys, and restores the terminal', async () => {
  writeFileSync(join(place.directory, 'slow.cast'), SLOW.join('\n'));
  const person = place.inTerminal(['play', join(place.directory, 'slow.cast')]);
  await person.until(/one/);
  person.type(']');
  await person.until(/two/);
  person.type(' .');
  await person.until(/three/);
  person.type('[');
  await person.until(/three[^]*\x1b\[H\x1b\[J[^]*one[^]*two/);
  person.type('q');
  expect(await person.exited).toMatchObject({ exitCode: 0 });
  expect(person.output).not.toContain('four');
});

it('starts where it is told to', async () => {
  writeFileSync(join(place.directory, 'slow.cast'), SLOW.join('\n'));
  for (const flags of [
    ['--at', '61s'],
    ['--command', '1'],
  ]) {
    const person = place.inTerminal(['play', ...flags, join(place.directory, 'slow.cast')]);
    await person.until(/one[^]*two/);
    person.type('\x03');
    expect(await person.exited).toMatchObject({ exitCode: 0 });
    expect(person.output).not.toContain('three');
  }
  expect(await place.stdout('play', '--idle-limit', '1ms', 'slow.cast')).toBe('one\r\ntwo\r\nthree\r\nfour\r\n');
});

it('records a program, keeps it, and passes on its exit code', async () => {
  const { code, stdout, stderr } = await place.run('rec', '--name', 'job', '--', 'sh', '-c', 'echo done; exit 3');
  expect({ code, stdout }).toEqual({ code: 3, stdout: 'done\r\n' });
  expect(stderr).toMatch(/recorded as terminal [0-9a-f]{8}; to play it: .*play [0-9a-f]{8}/);
  expect(await place.stdout('play', 'job')).toBe('done\r\n');
});
