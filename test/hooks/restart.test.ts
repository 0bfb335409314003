/** Tests hooks across servers and commands, as processes: nothing is delivered twice under another id, nothing is lost. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { ownedSlots, ownerOf } from '../../src/host/ownership.js';
import { createHook } from '../../src/contract/hooks.js';
import type { CreateHook } from '../../src/contract/hooks.js';
import { HookFiles } from '../../src/hooks/hook-files.js';
import { addHook } from '../../src/hooks/manage.js';
import { eventually } from '../eventually.js';
import { Place } from '../cli/place.js';
import type { RunningCommand } from '../cli/place.js';
import { closeReceivers, startReceiver } from './receiver.js';
import type { Receiver } from './receiver.js';

/** Each test starts hosts and up to three servers, which takes seconds on a busy machine. */
const PROCESSES_MS = 60_000;

let place: Place;
let receiver: Receiver;
beforeEach(async () => {
  [place, receiver] = [await new Place().ready(), await startReceiver()];
});
afterEach(async () => {
  await place.close();
  await closeReceivers();
});

async function serve(): Promise<RunningCommand> {
  const server = place.start(['serve'], { stdin: null });
  await server.says(/is at http[^]*Stop/, 'stderr');
  return server;
}

async function stop(server: RunningCommand, signal: NodeJS.Signals): Promise<void> {
  server.child.kill(signal);
  await server.ended();
}

/** Each event as it arrived first: after SIGKILL, an event may arrive again, with the same id. */
const firsts = () => [...new Map(receiver.events.toReversed().map((event) => [event.id, event])).values()].reverse();
const on = (...flags: string[]) => place.stdout('on', ...flags, '--url', receiver.url);

/** Creates a hook as `on` does, but without starting a process; returns its id. */
async function hook(request: Pick<CreateHook, 'on' | 'pattern'>): Promise<string> {
  const files = new HookFiles(place.env['TENACITTY_DATA_DIR']!);
  const maker = { id: 'local', name: 'me', isLocal: true };
  const requested = createHook.parse({ ...request, url: receiver.url });
  return (await addHook(files, requested, maker, { policy: null })).id;
}

interface Listed {
  readonly state: { readonly pending: number; readonly delivered: number; readonly failed: number };
}
const listed = async () => JSON.parse(await place.stdout('on', '--list', '--json')) as Listed[];

it.each(['SIGTERM', 'SIGKILL'] as const)(
  'delivers what happened while no server ran, marked as late, after %s',
  async (signal) => {
    const id = await hook({ on: ['ended', 'command'] });
    const server = await serve();
    const first = await place.ended('exit 1');
    await receiver.until((event) => event.id === `${id}-${first}-ended`);
    await stop(server, signal);
    const second = await place.ended('exit 2');
    const shell = await place.create({ shell: 'bash' });
    await place.manager.exec(shell, { command: '(exit 5)' });
    await place.manager.remove(await place.ended('exit 4', { name: 'gone' }));
    await serve();
    await receiver.until((event) => event.id === `${id}-${shell}-command-1`);
    await receiver.until((event) => event.data['exitCode'] === 4);
    const late = Object.fromEntries(firsts().map((event) => [event.id, event.late]));
    expect(late).toMatchObject({
      [`${id}-${first}-ended`]: false,
      [`${id}-${second}-ended`]: true,
      [`${id}-${shell}-command-1`]: true,
    });
    expect(firsts()).toHaveLength(4);
  },
  PROCESSES_MS,
);

it(
  'delivers each event by one id and in order, over a receiver that fails and servers that are killed',
  async () => {
    const statuses = [500, 200, 503, 500, 200];
    receiver.answer = (response) => void response.writeHead(statuses.shift() ?? 200).end();
    await hook({ on: ['command'] });
    const shell = await place.create({ shell: 'bash' });
    let server = await serve();
    for (let round = 0; round < 2; round++) {
      await place.manager.exec(shell, { command: `echo ${round}` });
      await stop(server, 'SIGKILL');
      await place.manager.exec(shell, { command: 'false' });
      server = await serve();
    }
    await receiver.until(({ id }) => id.endsWith('-command-4'));
    expect(firsts().map(({ id }) => id.split('-').at(-1))).toEqual(['1', '2', '3', '4']);
  },
  PROCESSES_MS,
);

it.each([true, false])(
  'reports terminals that are lost with their host, if a server runs: %s',
  async (isServed) => {
    const hookId = await hook({ on: ['ended'] });
    const server = await serve();
    const id = await place.open('read line');
    await place.ended('exit 1');
    await receiver.until(() => true);
    if (!isServed) await stop(server, 'SIGTERM');
    const places = { dataDir: place.env['TENACITTY_DATA_DIR']!, runtimeDir: place.env['TENACITTY_RUNTIME_DIR']! };
    for (const slot of ownedSlots(places)) process.kill(ownerOf(places, slot)!.pid, 'SIGKILL');
    if (!isServed) await serve();
    const event = await receiver.until((each) => each.id === `${hookId}-${id}-ended`);
    expect(event).toMatchObject({ late: !isServed, data: { endedBy: { reason: 'unknown' }, exitCode: null } });
    expect(firsts()).toHaveLength(2);
  },
  PROCESSES_MS,
);

it(
  'continues the search for a pattern where it stopped',
  async () => {
    await hook({ on: ['match'], pattern: 'error [0-9]' });
    const server = await serve();
    const id = await place.open('echo error 1; read line; echo error 2; echo error 3; read line');
    await receiver.until(() => true);
    await stop(server, 'SIGTERM');
    await place.stdout('send', id, 'x');
    await place.until(id, /error 3/);
    await serve();
    await eventually(() => receiver.events.length === 3);
    expect(receiver.events.map(({ late }) => late)).toEqual([false, true, true]);
  },
  PROCESSES_MS,
);

it(
  'delivers once if two servers run, and the second takes over from the first',
  async () => {
    const first = await serve();
    await serve();
    await on('ended');
    await place.ended('exit 1');
    await place.ended('exit 9');
    await receiver.until(({ data }) => data['exitCode'] === 9);
    expect(receiver.events).toHaveLength(2);
    await stop(first, 'SIGKILL');
    await place.ended('exit 2');
    await receiver.until(({ data }) => data['exitCode'] === 2);
    expect(firsts().map(({ data }) => data['exitCode'])).toEqual([1, 9, 2]);
    await eventually(async () => (await listed())[0]!.state.delivered === 3);
  },
  PROCESSES_MS,
);

it(
  'stops when the hook is removed',
  async () => {
    await serve();
    const id = (await on('ended')).trim();
    await place.ended('exit 1');
    await receiver.until(() => true);
    await place.stdout('on', '--remove', id);
    expect(await listed()).toEqual([]);
    const last = (await on('ended', '--name', 'last')).trim();
    await place.ended('exit 2', { name: 'last' });
    // The server has noticed the new hook, so it has noticed that the other was removed.
    await receiver.until((event) => event.id.startsWith(last));
    await place.ended('exit 3');
    await place.ended('exit 4', { name: 'last' });
    await receiver.until(({ data }) => data['exitCode'] === 4);
    const codes = receiver.events.flatMap((event) => (event.id.startsWith(id) ? event.data['exitCode'] : []));
    expect(codes).toContain(1);
    expect(codes.filter((code) => Number(code) > 2)).toEqual([]);
  },
  PROCESSES_MS,
);

it(
  'uses no hooks that another user could have created',
  async () => {
    await on('ended');
    const directory = join(place.env['TENACITTY_DATA_DIR']!, 'hooks');
    chmodSync(directory, 0o770);
    const server = await serve();
    await server.says(/Hooks are not running: .*hooks: its mode is 0770/, 'stderr');
    const { code, stderr } = await place.run('on', 'ended', '--url', receiver.url);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining('its mode is 0770')]);
  },
  PROCESSES_MS,
);
