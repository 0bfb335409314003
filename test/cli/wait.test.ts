/** Tests `tenacitty wait` for conditions other than the end of a program. */
import { sharedPlace } from './place.js';
import type { Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

/** A server on a port that the system chooses, which it prints. */
const LISTENING =
  'require("http").createServer().listen(0, "127.0.0.1", function () { console.log("at " + this.address().port) })';

describe('tenacitty wait', () => {
  it('waits for text and expressions, from a given offset', async () => {
    const id = await place.open('echo port 8080; read -r line; echo "got $line"; exec cat');
    const found = await place.run('wait', '--from', '0', '--regex', 'port (\\d+)', '--json', id);
    expect(found.code).toBe(0);
    const { reason, match, offset } = JSON.parse(found.stdout);
    expect({ reason, groups: match.groups }).toEqual({ reason: 'regex', groups: ['8080'] });
    expect(found.stderr).toContain('port 8080');
    const waiting = place.run('wait', '--from', String(offset), '--text', 'got it', id);
    await place.stdout('send', id, 'it');
    expect(await waiting).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('got it') });
  });

  it('waits for input, silence and a port', async () => {
    const id = await place.open('read -r line; echo "$line"; exec cat');
    expect(await place.run('wait', '--input', id)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('sh is waiting for input (line)'),
    });
    expect((await place.run('wait', '--idle', '200ms', id)).code).toBe(0);
    const server = (await place.stdout('new', '--', process.execPath, '-e', LISTENING)).trim();
    const told = JSON.parse(await place.stdout('wait', '--port', 'any', '--json', server)) as {
      port: number;
      terminalId: string;
    };
    expect(told.terminalId).toBe(server);
    await place.until(server, new RegExp(`at ${told.port}`));
    expect(await place.run('wait', '--port', String(told.port), server)).toMatchObject({
      ...{ code: 0, stdout: `${told.port}\n`, stderr: expect.stringContaining('is listening on port') },
    });
    expect(await place.stdout('wait', '--port', 'any', server)).toBe(`${told.port}\n`);
  });

  it('times out with exit code 124', async () => {
    const id = await place.open('exec cat');
    expect(await place.run('wait', '--text', 'never', '--timeout', '50ms', id)).toMatchObject({
      code: 124,
      stderr: expect.stringContaining('before the condition was met'),
    });
    expect((await place.run('wait', '--timeout', '50ms', id)).code).toBe(124);
  });

  it('reports if the program ends first: with 1, or with its exit code if --exit is given', async () => {
    const id = await place.open('read -r line; exit 7');
    const [text, either, end] = [['--text', 'never'], ['--text', 'never', '--exit'], ['--exit']].map((flags) =>
      place.run('wait', ...flags, id),
    );
    await place.stdout('send', id, 'x');
    expect(await Promise.all([text, either, end].map(async (waiting) => (await waiting!).code))).toEqual([1, 7, 7]);
  });

  it('reports invalid arguments', async () => {
    const id = await place.open('exec cat');
    expect(await place.run('wait', '--regex', '(', id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('regex'),
    });
    expect((await place.run('wait', '--command', '3', id)).code).toBe(1);
  });
});
