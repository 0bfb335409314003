/** Tests `tenacitty logs`: from each position, in each format, once and following. */
import { once } from 'node:events';
import { firstLineSince } from '../../src/cli/logs/line-at-time.js';
import { outputPage } from '../../src/contract/output.js';
import { ownedSlots, ownerOf } from '../../src/host/ownership.js';
import { sharedPlace } from './place.js';
import type { Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

const ended = (script: string): Promise<string> => place.ended(script);

describe('tenacitty logs', () => {
  it('prints all lines, even more than one answer holds', async () => {
    const id = await ended('seq 1 50000');
    const numbers = Array.from({ length: 50_000 }, (_, index) => `${index + 1}\n`).join('');
    expect(await place.stdout('logs', id)).toBe(numbers);
  });

  it('prints rendered lines, with colours, or the raw bytes', async () => {
    const id = await ended(`printf 'one\\rtwo\\n\\n\\033[31mred\\033[0m\\n'`);
    expect(await place.stdout('logs', id)).toBe('two\n\nred\n');
    expect(await place.stdout('logs', '--format', 'ansi', id)).toBe('two\n\n\x1b[31mred\x1b[0m\n');
    expect(await place.stdout('logs', '--format=raw', id)).toBe('one\rtwo\r\n\r\n\x1b[31mred\x1b[0m\r\n');
  });

  it('starts at the requested position', async () => {
    const id = await ended('seq 0 99');
    expect(await place.stdout('logs', '--tail', '2', id)).toBe('98\n99\n');
    expect(await place.stdout('logs', '--tail', '0', id)).toBe('');
    expect(await place.stdout('logs', '--since', '97', id)).toBe('97\n98\n99\n');
    expect(await place.stdout('logs', '--since', '1h', id)).toMatch(/^0\n1\n[^]*99\n$/);
    expect(await place.stdout('logs', '--since', '0ms', id)).toBe('');
    const { cursor } = await place.manager.read(id, { maxLines: 98 });
    expect(await place.stdout('logs', '--since', cursor, id)).toBe('98\n99\n');
    const refused = await place.run('logs', '--since', 'yesterday', id);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /--since: expected a line number .*, a duration before now .* or a cursor .*"yesterday"/,
    );
  });

  it('finds the first line since a given time', async () => {
    const id = await place.open('read line; seq 1 50; read line; echo late; exec cat');
    for (const marker of [/^50$/m, /late/]) {
      await place.manager.write(id, { input: '' });
      await place.until(id, marker);
    }
    const { entries = [] } = await place.manager.read(id, { entries: true });
    for (const { time } of entries) {
      const expected = entries.find((entry) => entry.time >= time)!.line;
      expect(await firstLineSince(place.manager, id, Date.parse(time))).toBe(expected);
    }
    expect(await firstLineSince(place.manager, id, Date.parse(entries.at(-1)!.time) + 1)).toBe(entries.length);
  });

  it('prints a page as JSON', async () => {
    const id = await ended('seq 1 3000');
    const page = outputPage.parse(JSON.parse(await place.stdout('logs', '--json', '--tail', '2', id)));
    expect(page).toMatchObject({ output: '2999\n3000', totalLines: 3000, isActive: false, exitCode: 0 });
    const all = outputPage.parse(JSON.parse(await place.stdout('logs', '--json', id)));
    expect(all).toMatchObject({ fromLine: 0, hasMore: false, stats: { linesShown: 3000 } });
  });

  it('ends quietly if its reader closes stdout', async () => {
    const id = await ended('seq 1 200000');
    const command = place.start(['logs', id]);
    await once(command.child.stdout!, 'data');
    command.child.stdout!.destroy();
    expect(await command.ended()).toMatchObject({ code: 141, stderr: '' });
  });
});

describe('tenacitty logs -f', () => {
  const SCRIPT = `while read line; do case $line in half) printf half;; end) exit 3;; *) echo "<$line>";; esac; done`;
  const quiet = (script: string) => `stty -echo; echo set; ${script}`;

  it('continues with new output, joined as displayed, until the program has ended', async () => {
    const id = await place.open(quiet(SCRIPT));
    const following = place.start(['logs', '-f', '--tail', '1', id]);
    await following.says(/set/);
    await place.stdout('send', id, 'half');
    await following.says(/half/);
    for (const line of ['whole', 'more', 'end']) await place.manager.write(id, { input: line });
    expect(await following.ended()).toEqual({ code: 0, stdout: 'set\nhalf<whole>\n<more>\n', stderr: '' });
  });

  it('prints each line as an object, and a line that grew with its whole text', async () => {
    const id = await place.open(quiet(SCRIPT));
    const following = place.start(['logs', '-f', '--json', id]);
    await following.says(/"set"/);
    await place.manager.write(id, { input: 'half' });
    await following.says(/"half"/);
    for (const line of ['whole', 'end']) await place.manager.write(id, { input: line });
    const { code, stdout } = await following.ended();
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { line: number; text: string });
    expect(code).toBe(0);
    const last = new Map(lines.map(({ line, text }) => [line, text]));
    expect([...last.values()].slice(0, 3)).toEqual(['ready', 'set', 'half<whole>']);
  });

  it('prints a line only once if it merely ends', async () => {
    const id = await place.open(quiet(`printf 'whole'; read line; printf '\\nnext\\n'; read line`));
    const following = place.start(['logs', '-f', '--json', id]);
    await following.says(/"whole"/);
    await place.manager.write(id, { input: '' });
    await following.says(/"next"/);
    await place.manager.write(id, { input: '' });
    expect((await following.ended()).stdout.match(/"whole"/g)).toHaveLength(1);
  });

  it('prints a changed line again below', async () => {
    const id = await place.open(quiet(`printf 'before'; read line; printf '\\rafter \\n'; read line`));
    const following = place.start(['logs', '-f', id]);
    await following.says(/before/);
    await place.manager.write(id, { input: '' });
    await following.says(/after/);
    await place.manager.write(id, { input: '' });
    expect((await following.ended()).stdout).toMatch(/^before\nafter/m);
  });

  it.each([[], ['--json'], ['--format', 'raw']])(
    'reports that the terminal is lost if its host is killed: %p',
    async (...form) => {
      const id = await place.open(quiet('exec cat'));
      const following = place.start(['logs', '-f', ...form, id]);
      await following.says(/set/);
      const places = { runtimeDir: place.env['TENACITTY_RUNTIME_DIR']!, dataDir: place.env['TENACITTY_DATA_DIR']! };
      for (const slot of ownedSlots(places)) process.kill(ownerOf(places, slot)!.pid, 'SIGKILL');
      const { code, stderr } = await following.ended();
      expect(code).toBe(1);
      expect(stderr).toContain(`terminal ${id.slice(0, 8)} is lost`);
      expect(await place.run('logs', '-f', ...form, id)).toMatchObject({ code: 1, stderr });
      expect(await place.run('logs', ...form, id)).toMatchObject({ code: 0 });
    },
  );

  it('follows the raw bytes', async () => {
    const id = await place.open(quiet(`read line; printf 'a\\033[1mb\\n'`));
    const following = place.start(['logs', '-f', '--format', 'raw', id]);
    await following.says(/set/);
    await place.manager.write(id, { input: '' });
    expect((await following.ended()).stdout).toContain('set\r\na\x1b[1mb\r\n');
  });
});
