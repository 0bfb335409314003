/** Tests the commands that create, list, type into, show, resize and end terminals, as text and as JSON. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { terminalDetail, terminalId, terminalSummary } from '../../src/contract/terminal.js';
import { terminalScreen, terminalStats } from '../../src/contract/output.js';
import { MAIN, sharedPlace, shortlyNamed } from './place.js';
import type { Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

/** As in the API. */
const listedTerminal = terminalSummary.extend({ terminalId });
const shownTerminal = terminalDetail.extend({ terminalId });
const UUID_LINE = /^[0-9a-f-]{36}\n$/;

describe('tenacitty new', () => {
  it('prints only the id, of a terminal that keeps running', async () => {
    const { code, stdout, stderr } = await place.run('new', '--', 'cat');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(UUID_LINE);
    expect(await place.manager.get(stdout.trim())).toMatchObject({ status: 'active', args: [], cwd: place.directory });
  });

  it('accepts directory, environment, size and history, and starts the shell if no program is named', async () => {
    const flags = ['--cwd', '/', '--env', 'GREETING=hello', '--env=MORE=1=2', '--cols=90', '--rows', '20', '--json'];
    const detail = shownTerminal.parse(JSON.parse(await place.stdout('new', '--history', 'memory', ...flags)));
    expect(detail).toMatchObject({ cols: 90, rows: 20, cwd: '/', history: 'memory', shell: '/bin/sh' });
    await place.stdout('send', detail.id, 'echo $GREETING $MORE');
    await place.until(detail.id, /^hello 1=2/m);
  });

  it('opens a terminal like one that has ended', async () => {
    const id = (await place.stdout('new', '--cwd', '/', '--', 'echo', 'once')).trim();
    await place.run('wait', id);
    const again = (await place.stdout('new', '--like', id.slice(0, 8))).trim();
    expect(await place.until(again, /once/)).toBe('once');
    expect(await place.manager.get(again)).toMatchObject({ cwd: '/', args: ['once'] });
  });
});

describe('tenacitty ls', () => {
  it('shows running and ended terminals in a table, as ids and as JSON', async () => {
    const running = await place.open('exec cat');
    const ended = (await place.stdout('new', '--', 'sh', '-c', 'exit 3')).trim();
    await place.run('wait', ended);
    const table = await place.stdout('ls');
    expect(table.split('\n')).toEqual([
      expect.stringMatching(/^ID +STATUS +PID +PROGRAM +DIRECTORY +AGE +ACTIVE$/),
      expect.stringMatching(new RegExp(`^${running.slice(0, 8)} +active +\\d+ +.*~ +\\d+s +\\d+s ago$`)),
      expect.stringMatching(new RegExp(`^${ended.slice(0, 8)} +exited 3 +\\d+ +sh -c exit 3 +~ +\\d+s`)),
      '',
    ]);
    expect(await place.stdout('ls', '-q')).toBe(`${running}\n${ended}\n`);
    const listed = listedTerminal.array().parse(JSON.parse(await place.stdout('ls', '--json')));
    expect(listed.map(({ id, status }) => [id, status])).toEqual([
      [running, 'active'],
      [ended, 'exited'],
    ]);
  });

  it('lists running terminals only, or fields of each, as requested', async () => {
    const running = await place.open('exec cat', { name: 'web' });
    const ended = await place.ended('exit 3');
    expect(await place.stdout('ls', '-q', '--running')).toBe(`${running}\n`);
    expect(await place.stdout('ls', '-aq')).toBe(`${running}\n${ended}\n`);
    const lines = await place.stdout('ls', '--format', '{{.id}}\\t{{status}} {{exitCode}}{{name}}');
    expect(lines).toBe(`${running}\tactive web\n${ended}\texited 3\n`);
    expect(await place.run('ls', '--format', '{{nme}}')).toMatchObject({
      ...{ code: 2, stdout: '', stderr: expect.stringContaining('unknown field nme. Did you mean name?') },
    });
    await place.stdout('rm', running);
    expect(await place.run('ls', '--running')).toMatchObject({
      ...{ code: 0, stdout: '', stderr: expect.stringContaining('there are no running terminals; to open one') },
    });
  });

  it('cuts long cells so that rows fit the width of the terminal', async () => {
    const words = ['a-long-argument-of-this-program', 'another-one-that-does-not-fit'];
    await place.create({ command: 'sh', args: ['-c', 'exec cat', ...words], labels: { project: 'a'.repeat(30) } });
    const person = place.inTerminal(['ls']);
    await person.closed;
    const rows = person.output
      .replace(/\x1b\[\d*m/g, '')
      .trim()
      .split('\r\n');
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(80);
    expect(await place.stdout('ls')).toContain('sh -c exec cat a-long-argument');
  });

  it('reports on stderr that there are none, and prints an empty array', async () => {
    expect(await place.run('ls')).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/there are no terminals; to open one: .* new --data-dir=\S+/),
    });
    expect(await place.stdout('ls', '--json')).toBe('[]\n');
  });

  it('shows the last command of shells, and its state', async () => {
    const { id } = await place.manager.create({ shell: '/bin/bash' });
    const last = async () => (await place.stdout('ls')).split('\n').map((row) => row.split(/ {2,}/)[7]);
    expect(await last()).toEqual([undefined, undefined, undefined]);
    await place.manager.exec(id, { command: 'true\n(exit 3)' });
    expect(await last()).toEqual(['LAST COMMAND', 'true; (exit 3) (exit 3)', undefined]);
    await place.manager.exec(id, { command: 'read x', detach: true });
    expect(await last()).toEqual(['LAST COMMAND', 'read x (running)', undefined]);
    const [listed] = JSON.parse(await place.stdout('ls', '--json')) as unknown[];
    expect(listed).toMatchObject({
      lastCommand: { commandId: 2, text: 'read x', state: 'running', exitCode: null },
    });
  });

  it('shows labels if there are any, and lists terminals with all the given labels', async () => {
    const both = (await place.stdout('new', '--label', 'project=web', '--label=note=a=b', '--', 'cat')).trim();
    const one = (await place.stdout('new', '--label', 'project=web', '--', 'cat')).trim();
    const none = await place.open('exec cat');
    const table = (await place.stdout('ls')).split('\n');
    expect(table.map((row) => row.split(/ {2,}/)[7])).toEqual([
      'LABELS',
      'project=web note=a=b',
      'project=web',
      ...[undefined, undefined],
    ]);
    expect(await place.stdout('ls', '-q', '--label', 'project=web')).toBe(`${both}\n${one}\n`);
    expect(await place.stdout('ls', '-q', '--label', 'project=web', '--label', 'note=a=b')).toBe(`${both}\n`);
    expect(await place.run('ls', '--label', 'no=one')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no t'),
    });
    expect(await place.run('ls', '--label', 'project')).toMatchObject({ code: 2, stdout: '' });
    expect(await place.manager.get(none)).toMatchObject({ labels: {} });
  });

  it('uses colours only for a person, and not if NO_COLOR is set', async () => {
    await place.open('exec cat');
    const GREEN = /\x1b\[32mactive/;
    const person = place.inTerminal(['ls']);
    await person.closed;
    expect(person.output).toMatch(GREEN);
    const other = place.inTerminal(['ls'], { NO_COLOR: '1' });
    await other.closed;
    expect(other.output).toContain('active');
    expect(other.output).not.toMatch(GREEN);
    expect(await place.stdout('ls')).not.toContain('\x1b');
  });
});

describe('the location of terminals', () => {
  it('is known to tenacitty within its terminals, with each terminal’s own settings', async () => {
    const list = [process.execPath, MAIN, 'ls', '--json'];
    const [inside, elsewhere] = [
      (await place.stdout('new', '--', ...list)).trim(),
      (await place.stdout('new', '--env', `TENACITTY_DATA_DIR=${place.directory}/elsewhere`, '--', ...list)).trim(),
    ];
    await Promise.all([inside, elsewhere].map((id) => place.run('wait', id)));
    const seen = JSON.parse(await place.stdout('logs', inside)) as { id: string }[];
    expect(seen.map(({ id }) => id)).toContain(inside);
    expect(JSON.parse(await place.stdout('logs', elsewhere))).toEqual([]);
  });

  it('is refused immediately by name if it can never work, by every command that needs it', async () => {
    writeFileSync(join(place.directory, 'file'), '');
    const env = { TENACITTY_DATA_DIR: join(place.directory, 'file', 'data') };
    for (const args of [['serve'], ['ls'], ['new'], ['key', 'create']]) {
      const { code, stdout, stderr } = await place.start(args, { env }).ended();
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(
        /^tenacitty: A setting cannot be used:\n {2}TENACITTY_DATA_DIR is .*file is not a directory; .*\n$/,
      );
    }
  });
});

describe('an id', () => {
  it('may be shortened to four characters', async () => {
    const id = await place.open('exec cat');
    await place.stdout('send', id.slice(0, 4), 'hello');
    await place.until(id, /hello/);
  });

  it('may be in upper case, whole or shortened', async () => {
    const id = await place.open('exec cat');
    for (const given of [id, id.slice(0, 13)]) {
      expect(JSON.parse(await place.stdout('stats', '--json', given.toUpperCase()))).toMatchObject({ terminalId: id });
    }
  });

  it.each([['none-such'], ['abc']])('that does not exist leads to exit code 3: %s', async (id) => {
    const { code, stdout, stderr } = await place.run('screen', id);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain(`There is no terminal "${id}"`);
    expect(shortlyNamed(stderr)).toContain('tenacitty ls');
  });
});

describe('tenacitty send and keys', () => {
  it('types text with Enter, without it, and raw', async () => {
    const id = await place.open('exec cat');
    await place.stdout('send', id, 'two', 'words');
    await place.until(id, /two words\ntwo words/);
    await place.stdout('send', '--no-enter', id, 'half');
    await place.stdout('send', '--raw', id, ' and half\n');
    await place.until(id, /^half and half\nhalf and half/m);
  });

  it('types stdin, and text that begins like a flag after --', async () => {
    const id = await place.open('exec cat');
    expect((await place.start(['send', id, '-'], { stdin: 'one\ntwo\n' }).ended()).code).toBe(0);
    await place.until(id, /one\n(two\n)?one\n(two\n)?two/);
    await place.stdout('send', id, '--', '--help');
    await place.until(id, /--help\n--help/);
  });

  it('types more than one input may hold', async () => {
    const id = await place.open(`stty raw -echo; echo go; head -c 300000 | tr -d '\\n' | wc -c; stty sane`);
    await place.until(id, /go/);
    const stdin = 'é'.repeat(150_000);
    expect((await place.start(['send', '--raw', id, '-'], { stdin }).ended()).code).toBe(0);
    await place.until(id, /300000/);
  });

  it('presses keys, and names an unknown one', async () => {
    const id = await place.open('exec cat');
    await place.stdout('keys', id, 'h', 'i', 'enter');
    await place.until(id, /hi\nhi/);
    expect(await place.run('keys', id, 'entr')).toMatchObject({ code: 2, stderr: expect.stringContaining('enter') });
    await place.stdout('keys', id, 'ctrl-c');
    expect((await place.run('wait', id)).code).toBe(130);
  });
});

describe('tenacitty screen, stats and resize', () => {
  it('prints what the screen shows, with colours if requested, and as JSON', async () => {
    const id = await place.open(`printf 'a \\033[31mred\\033[0m word\\n'; exec cat`);
    await place.until(id, /red word/);
    expect(await place.stdout('screen', id)).toBe('ready\na red word\n');
    expect(await place.stdout('screen', '--format', 'ansi', id)).toContain('\x1b[31mred');
    const shown = terminalScreen.parse(JSON.parse(await place.stdout('screen', '--json', id)));
    expect(shown).toMatchObject({ cols: 80, rows: 24, cursor: { x: 0, y: 2 } });
  });

  it('changes the size of a terminal', async () => {
    const id = await place.open('exec cat');
    await place.stdout('resize', id, '100x30');
    expect(await place.manager.get(id)).toMatchObject({ cols: 100, rows: 30 });
    expect(await place.run('resize', id, 'large')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('120x40'),
    });
    expect(await place.run('resize', id, '9999x1')).toMatchObject({ code: 2, stderr: expect.stringContaining('1000') });
  });

  it('prints statistics of one terminal and of all', async () => {
    const id = await place.open('exec cat');
    expect(await place.stdout('stats', id)).toMatch(/^totalLines +\d+$[^]*^history\.limits\.memoryLines +10,000$/m);
    expect(await place.stdout('stats', id)).toMatch(
      /^history\.limits\.diskBytes +256\.0 MiB\nhistory\.limits\.diskBytesTotal .*\nhistory\.limits\.diskAgeMs +30d$/m,
    );
    expect(await place.stdout('stats')).not.toContain('isIncomplete');
    expect(terminalStats.parse(JSON.parse(await place.stdout('stats', id, '--json')))).toMatchObject({
      terminalId: id,
    });
    expect(await place.stdout('stats')).toMatch(/^activeTerminals +1$[^]*^problems +none$/m);
    expect(JSON.parse(await place.stdout('stats', '--json'))).toMatchObject({ activeTerminals: 1, problems: [] });
  });
});

describe('tenacitty wait', () => {
  it.each([
    ['exit 7', 7],
    ['kill -KILL $$', 137],
  ])('passes on how the program ended: %s', async (script, code) => {
    const id = await place.open(`read line; ${script}`);
    const waiting = place.start(['wait', id, '--json']);
    await place.stdout('send', id, 'go');
    const ended = await waiting.ended();
    expect(ended.code).toBe(code);
    expect(shownTerminal.parse(JSON.parse(ended.stdout))).toMatchObject({ id, terminalId: id, status: 'exited' });
  });

  it('times out with exit code 124, and the program continues', async () => {
    const id = await place.open('while :; do echo more; sleep 0.01; done');
    const { code, stdout, stderr } = await place.run('wait', '--timeout', '300ms', id);
    expect({ code, stdout }).toEqual({ code: 124, stdout: '' });
    expect(stderr).toContain('is still running');
    expect((await place.manager.get(id)).status).toBe('active');
  });
});

describe('tenacitty kill and rm', () => {
  it('ends the named terminals, with the requested signal, and leaves them readable', async () => {
    const id = await place.open('trap "exit 5" INT; while :; do sleep 0.1; done');
    const { code, stdout, stderr } = await place.run('kill', '--signal', 'int', '--grace=20s', id);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain(`terminal ${id.slice(0, 8)} was ended`);
    expect(await place.manager.get(id)).toMatchObject({ status: 'exited', exitCode: 5 });
    expect(await place.stdout('logs', id)).toContain('ready');
  });

  it('acts on all terminals that it can, and reports the others', async () => {
    const [one, other] = [await place.open('exec cat'), await place.open('exec cat')];
    const { code, stderr } = await place.run('kill', one, 'none-such', other);
    expect(code).toBe(3);
    expect(stderr).toContain('"none-such"');
    const { activeTerminals, exitedTerminals } = await place.manager.summary();
    expect({ activeTerminals, exitedTerminals }).toEqual({ activeTerminals: 0, exitedTerminals: 2 });
  });

  it('ends all, and removes ended ones', async () => {
    await Promise.all([place.open('exec cat'), place.open('exec cat')]);
    await place.stdout('kill', '--all');
    const kept = await place.open('exec cat');
    await place.stdout('rm', '--ended');
    expect(await place.stdout('ls', '-q')).toBe(`${kept}\n`);
    await place.stdout('rm', kept);
    expect(await place.manager.list()).toEqual([]);
    expect((await place.run('rm', '--ended')).stderr).toContain('no terminal has ended');
  });
});
