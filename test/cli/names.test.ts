/** Tests names on the command line: given, shown, used in place of an ID, changed, and completed. */
import { sharedPlace } from './place.js';
import type { Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

const DETACH = '\x1c';
const CAT = ['--', 'sh', '-c', 'echo ready; exec cat'];

function open(name: string): Promise<string> {
  return place.open('exec cat', { name });
}

describe('a name', () => {
  it('is accepted instead of the ID, in any case, and ls shows names if there are any', async () => {
    const id = await open('web');
    const other = await place.open('exec cat');
    await place.stdout('send', 'WEB', 'hello');
    await place.until(id, /hello\nhello/);
    expect(await place.stdout('logs', 'web')).toBe('ready\nhello\nhello\n');
    const [headings, first, second] = (await place.stdout('ls')).split('\n');
    expect(headings).toMatch(/^ID +NAME +STATUS /);
    expect(first).toMatch(new RegExp(`^${id.slice(0, 8)} +web +active `));
    expect(second).toMatch(new RegExp(`^${other.slice(0, 8)} +active `));
    expect(await place.stdout('ls', '--names')).toBe('web\n');
    expect(JSON.parse(await place.stdout('ls', '--json'))).toMatchObject([{ name: 'web' }, { name: null }]);
    expect((await place.run('kill', 'web')).code).toBe(0);
    expect((await place.manager.get(id)).status).toBe('exited');
  });

  it('means the running terminal, and is taken as long as it runs', async () => {
    const ended = await open('web');
    await place.stdout('kill', 'web');
    const running = await open('web');
    expect(JSON.parse(await place.stdout('stats', '--json', 'web'))).toMatchObject({ terminalId: running });
    const again = await place.run('new', '--name', 'web', ...CAT);
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('web') });
    await place.stdout('rm', 'web');
    expect(JSON.parse(await place.stdout('stats', '--json', 'web'))).toMatchObject({ terminalId: ended });
    expect(await place.run('logs', 'none')).toMatchObject({ code: 3, stdout: '' });
    expect((await place.run('new', '--name', 'beef')).code).toBe(2);
  });

  it('can also be given by run and exec', async () => {
    await place.stdout('run', '-d', '--name', 'job', '--', 'cat');
    expect(await place.manager.get('job')).toMatchObject({ name: 'job', status: 'active' });
    await place.stdout('exec', '--keep', '--name', 'build', '--shell', 'bash', '--', 'true');
    expect(await place.stdout('exec', 'build', 'echo $((6 * 7))')).toBe('42\n');
    expect((await place.run('exec', '--name', 'other', 'build', 'true')).code).toBe(2);
  });

  it('is changed and removed by rename, and labels by label', async () => {
    const id = await open('web');
    await place.stdout('rename', 'web', 'api');
    expect((await place.run('logs', 'web')).code).toBe(3);
    await place.stdout('label', 'api', 'project=web', 'task=one');
    const changed = await place.run('label', '--label', 'project=web', 'task-', 'stage=two');
    expect(changed.stderr).toMatch(/terminal \w+ has the labels project=web, stage=two/);
    expect(await place.manager.get(id)).toMatchObject({ name: 'api', labels: { project: 'web', stage: 'two' } });
    await place.stdout('rename', '--clear', 'api');
    expect(await place.manager.get(id)).toMatchObject({ name: null });
    for (const words of [
      ['rename', id],
      ['rename', '--clear', id, 'x'],
      ['label', id, 'task'],
      ['rename', id, 'beef'],
    ])
      expect((await place.run(...words)).code).toBe(2);
  });
});

describe('tenacitty attach --create', () => {
  it('opens a terminal with the name, and attaches it the next time', async () => {
    const first = place.inTerminal(['attach', '--create', 'web'], { TENACITTY_SHELL_PATH: '/bin/cat' });
    await first.until(/attached to terminal [0-9a-f]{8} \(web\)/);
    first.type('hello\r');
    await first.until(/hello[^]*hello/);
    first.type(DETACH);
    await first.exited;
    const second = place.inTerminal(['attach', '--create', 'web']);
    await second.until(/hello[^]*hello/);
    second.type(DETACH);
    expect(await second.exited).toMatchObject({ exitCode: 0 });
    expect(await place.manager.list()).toMatchObject([{ name: 'web', status: 'active' }]);
  });

  it('is refused together with an ID', async () => {
    expect(await place.run('attach', '--create', 'web', 'other')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give either ID, --label or --create.'),
    });
  });
});
