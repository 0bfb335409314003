/**
 * Tests the command line together with a server: both access the same terminals, and the terminals outlive the server.
 */
import { Place } from './place.js';
import { whereLinux } from '../where.js';

let place: Place;
beforeEach(async () => (place = await new Place().ready()));
afterEach(() => place.close());

const { it: onLinux } = whereLinux();

async function serve() {
  const server = place.start(['serve'], { stdin: null });
  await server.says(/is at http[^]*Stop/, 'stderr');
  return { server, url: /is at (http\S+)/.exec(server.stderr)![1]! };
}

describe('next to a server', () => {
  onLinux('each server sees the terminals of the other', async () => {
    const { url } = await serve();
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ command: 'cat' });
    const created = (await (await fetch(`${url}/api/terminals`, { method: 'POST', headers, body })).json()) as {
      data: { terminalId: string };
    };
    const ours = await place.open('exec cat');
    expect(await place.stdout('ls', '-q')).toBe(`${created.data.terminalId}\n${ours}\n`);
    await place.stdout('send', ours, 'hello');
    await place.until(ours, /hello\nhello/);
    const output = await fetch(`${url}/api/terminals/${ours}/output`);
    expect(await output.json()).toMatchObject({ success: true, data: { output: 'ready\nhello\nhello' } });
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('terminals continue after the server is ended by %s', async (signal) => {
    const { server } = await serve();
    const id = await place.open('exec cat');
    server.child.kill(signal);
    await server.ended();
    await place.stdout('send', id, 'still there');
    await place.until(id, /still there\nstill there/);
  });
});
