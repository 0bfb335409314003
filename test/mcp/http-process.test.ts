/** Tests MCP over HTTP with a server in its own process: what outlives it, and which other clients see it. */
import { Place } from '../cli/place.js';
import type { RunningCommand } from '../cli/place.js';
import { Agent, ERAS } from './client.js';
import { HttpAgent } from './http-agent.js';

let place: Place;
const agents: { close(): Promise<void> }[] = [];
beforeEach(async () => (place = await new Place().ready()));
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()));
  await place.close();
});

/** Starts a server; returns its process and its address. */
async function serve(): Promise<{ command: RunningCommand; url: string }> {
  const command = place.start(['serve'], { stdin: null, env: { TENACITTY_SHELL_PATH: '/bin/bash' } });
  const banner = /is at (http:\S+)/;
  await command.says(banner, 'stderr');
  return { command, url: banner.exec(command.stderr)![1]! };
}

async function connect(...args: Parameters<typeof HttpAgent.connect>): Promise<HttpAgent> {
  const agent = await HttpAgent.connect(...args);
  agents.push(agent);
  return agent;
}

it.each(ERAS)(
  'the %s revision: a server killed during a call is followed by one with the same terminals',
  async (era) => {
    const first = await serve();
    const before = await connect(first.url, { era });
    await before.call({ command: 'cd /usr; KEPT=yes' });
    // How a call fails when its server dies depends on the client.
    before.call({ command: 'echo be""gun; read -r line; echo "got $line"' }).catch(() => {});
    const [terminal] = await place.manager.list();
    await place.until(terminal!.id, /begun/);
    first.command.child.kill('SIGKILL');
    await first.command.ended();

    const after = await connect((await serve()).url, { era });
    const { meta } = await after.call({ action: 'LIST' });
    expect(meta['terminals']).toMatchObject([{ terminal: 0, completed: false }]);
    await place.manager.write(terminal!.id, { input: 'typed', enter: true });
    const { commandId } = (await place.manager.commands(terminal!.id)).at(-1)!;
    await place.manager.collect(terminal!.id, commandId, { timeoutMs: 30_000 });
    expect(await after.call({ action: 'READ' })).toMatchObject({ text: expect.stringContaining('got typed') });
    expect(await after.call({ command: 'echo "$PWD $KEPT"' })).toMatchObject({
      text: '/usr yes',
      meta: { terminal: 0 },
    });
  },
);

it('a workspace is the same over HTTP and over stdio, and a killed client has no effect on the others', async () => {
  const { url } = await serve();
  const overStdio = await Agent.start(place, { workspace: 'shared' });
  const overHttp = await connect(url, { headers: { 'Tenacitty-Workspace': 'shared' } });
  await overStdio.call({ command: 'FROM=stdio', terminal: 5 });
  const child = (overStdio.transport as unknown as { pid: number }).pid;
  process.kill(child, 'SIGKILL');
  await overStdio.close();
  expect(await overHttp.call({ command: 'echo "$FROM"', terminal: 5 })).toMatchObject({ text: 'stdio' });
});
