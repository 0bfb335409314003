/** Tests waiting for events in terminals, wherever they are held: what ends a wait, and what it reports. */
import type { TerminalManager } from '../../src/contract/manager.js';
import { error } from '../conformance/error.js';
import { BASH, MANAGERS, readUntilExit, readUntilText, run, stopEngines } from '../engine/engine-under-test.js';
import { hostPids, murder, newPlaces, openManager } from '../host/host-under-test.js';
import { eventually } from '../eventually.js';

afterEach(stopEngines);

const LONG = { timeoutMs: 60_000 };

/** Runs a script of `sh`. */
function script(manager: TerminalManager, text: string): ReturnType<typeof run> {
  return run(manager, 'sh', '-c', text);
}

describe.each(MANAGERS)('a wait %s', (_where, startManager) => {
  it('ends at a text that was there already, if it has a start offset', async () => {
    const manager = startManager();
    const { id } = await script(manager, 'echo one ready; cat');
    await readUntilText(manager, id, 'ready');
    const found = await manager.wait(id, { text: 'ready', fromOffset: 0, ...LONG });
    expect(found).toMatchObject({ reason: 'text', match: { text: 'ready', line: 'one ready', groups: [] }, offset: 9 });
    expect(found).toMatchObject({ isActive: true, exitCode: null, signal: null, port: null, waiting: null });
  });

  it('sees only new output without a start offset', async () => {
    const manager = startManager();
    const { id } = await script(manager, 'echo ready; read x; echo ready again; cat');
    await readUntilText(manager, id, 'ready');
    const waiting = manager.wait(id, { text: 'ready', ...LONG });
    await eventually(async () => (await manager.summary()).waitingReads > 0);
    await manager.write(id, { input: '' });
    expect(await waiting).toMatchObject({ match: { line: 'ready again' } });
  });

  it('continues after the match of the previous one, so that nothing is found twice or missed', async () => {
    const manager = startManager();
    const { id } = await script(manager, 'for n in 1 2 3 4 5 6 7 8 9; do echo "item $n done"; done; cat');
    const seen: (string | null)[] = [];
    for (let fromOffset = 0; seen.length < 9;) {
      const { match, offset } = await manager.wait(id, { regex: 'item (\\d)', fromOffset, ...LONG });
      seen.push(match!.groups[0]!);
      fromOffset = offset;
    }
    expect(seen.join('')).toBe('123456789');
  });

  it('that found nothing can be continued within an unfinished line', async () => {
    const manager = startManager();
    const { id } = await script(manager, 'stty -echo; echo old; printf "half a "; read x; echo line; cat');
    await readUntilText(manager, id, 'half a');
    const first = await manager.wait(id, { text: 'half a line', fromOffset: 0, timeoutMs: 0 });
    expect(first).toMatchObject({ reason: 'timeout', match: null });
    await manager.write(id, { input: '' });
    const next = await manager.wait(id, { text: 'half a line', fromOffset: first.offset, ...LONG });
    expect(next).toMatchObject({ reason: 'text', match: { line: 'half a line' } });
  });

  it('ignores colours and other sequences, and treats every line ending as one', async () => {
    const manager = startManager();
    const { id } = await script(manager, String.raw`printf 'a\033[31mb\033[0mc\033]0;title\007d\r\nnext\r.'; cat`);
    expect(await manager.wait(id, { text: 'abcd\nnext', fromOffset: 0, ...LONG })).toMatchObject({ reason: 'text' });
    const lines = await manager.wait(id, { regex: '^(\\w+)$\\n^next$', fromOffset: 0, ...LONG });
    expect(lines).toMatchObject({ match: { groups: ['abcd'] } });
  });

  it('ends with the program, after its last output, and reports how it ended', async () => {
    const manager = startManager();
    for (let n = 0; n < 20; n++) {
      const { id } = await script(manager, 'echo the last word; exit 7');
      const found = await manager.wait(id, { text: 'last word', fromOffset: 0, ...LONG });
      expect(found).toMatchObject({ reason: 'text', match: { line: 'the last word' } });
      const over = await manager.wait(id, { text: 'more', ...LONG });
      expect(over).toMatchObject({ reason: 'exit', isActive: false, exitCode: 7, signal: null, match: null });
    }
  });

  it('ends at once if the program has ended', async () => {
    const manager = startManager();
    const { id } = await script(manager, 'kill -9 $$');
    await readUntilExit(manager, id);
    const over = { reason: 'exit', isActive: false, exitCode: null, signal: 'SIGKILL' };
    expect(await manager.wait(id, LONG)).toMatchObject(over);
    expect(await manager.wait(id, { idleMs: 30_000, input: true, port: true, ...LONG })).toMatchObject(over);
  });

  it('ends at the timeout, with the current state', async () => {
    const manager = startManager();
    const { id } = await script(manager, 'echo something; cat');
    await manager.wait(id, { text: 'something\n', fromOffset: 0, ...LONG });
    const { totalBytes } = await manager.get(id);
    const up = { reason: 'timeout', offset: totalBytes, isActive: true };
    expect(await manager.wait(id, { timeoutMs: 0 })).toMatchObject(up);
    expect(await manager.wait(id, { text: 'never', timeoutMs: 20 })).toMatchObject(up);
  });

  it('ends when its caller gives up', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'cat');
    const giveUp = new AbortController();
    const waiting = manager.wait(id, { text: 'never', ...LONG }, { signal: giveUp.signal });
    await eventually(async () => (await manager.summary()).waitingReads > 0);
    giveUp.abort();
    expect(await waiting).toMatchObject({ reason: 'timeout', isActive: true });
    await eventually(async () => (await manager.summary()).waitingReads === 0);
  });

  it('ends when the terminal has been silent for the requested time', async () => {
    const manager = startManager();
    const { id } = await script(manager, 'for n in 1 2 3 4 5 6 7 8; do echo $n; sleep 0.05; done; cat');
    // Far longer than the program is ever silent before it is done, however slowly it runs.
    const idle = await manager.wait(id, { idleMs: 3000, ...LONG });
    expect(idle).toMatchObject({ reason: 'idle', isActive: true });
    expect((await manager.read(id)).output).toContain('8');
  });

  it('ends when a program waits for input, and reports which program and for what', async () => {
    const manager = startManager();
    const { id, pid } = await manager.create({ command: 'bash', args: ['-c', 'sleep 0.3; read -s -p "Secret? " x'] });
    const waits = await manager.wait(id, { input: true, text: 'never', ...LONG });
    expect(waits).toMatchObject({ reason: 'input', waiting: { kind: 'password', by: 'bash', pid, certain: true } });
  });

  it('ends when a process of the terminal listens on a port, not one of another terminal', async () => {
    const manager = startManager();
    const serve = 'require("net").createServer().listen(0, "127.0.0.1"); setInterval(() => {}, 1000)';
    const other = await run(manager, 'node', '-e', serve);
    const { port } = await manager.wait(other.id, { port: true, ...LONG });
    expect(port).toBeGreaterThan(0);
    // In the background and in its own session, it still belongs to the terminal.
    const { id } = await script(manager, `setsid node -e '${serve}' & cat`);
    const found = await manager.wait(id, { port: true, ...LONG });
    expect(found).toMatchObject({ reason: 'port', port: expect.any(Number) });
    expect(found.port).not.toBe(port);
    expect(await manager.wait(id, { port: found.port!, ...LONG })).toMatchObject({ port: found.port });
    expect(await manager.wait(id, { port: port!, timeoutMs: 300 })).toMatchObject({ reason: 'timeout', port: null });
  });

  it('is refused for an invalid expression, and for an offset that does not exist yet', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'cat');
    await expect(manager.wait(id, { regex: '(', ...LONG })).rejects.toEqual(error('INVALID_INPUT', /regex: .*missing/));
    await expect(manager.wait(id, { fromOffset: 1e9 })).rejects.toEqual(error('INVALID_INPUT', /fromOffset: expected/));
    await expect(manager.wait(id, { text: '' })).rejects.toEqual(error('INVALID_INPUT', /text: /));
    await expect(manager.wait('nobody', {})).rejects.toEqual(error('TERMINAL_NOT_FOUND'));
  });

  it('is refused if too many wait', async () => {
    const manager = startManager({ maxWaitingReads: 1 });
    const { id } = await run(manager, 'cat');
    const waits = Array.from({ length: 4 }, () => manager.wait(id, { text: 'go', ...LONG }));
    await eventually(async () => (await manager.summary()).waitingReads === 4);
    await expect(manager.wait(id, { text: 'go' })).rejects.toEqual(
      error('LIMIT_REACHED', /TENACITTY_MAX_WAITING_READS is 1/),
    );
    await manager.write(id, { input: 'go' });
    for (const waited of await Promise.all(waits)) expect(waited).toMatchObject({ reason: 'text' });
  });

  it('finds a text in a flood that exceeds the history, and the flood continues', async () => {
    const manager = startManager({ maxBufferLines: 1000 });
    const flood = 'read x; seq 1 400000 | sed s/^/line-/; echo NEEDLE; seq 1 400000; cat';
    const { id } = await script(manager, flood);
    const patterns = [{ text: 'NEEDLE' }, { regex: '^NEED(LE)$' }, { text: 'line-399999' }];
    const waits = patterns.map((one) => manager.wait(id, { ...one, fromOffset: 0, ...LONG }));
    const end = manager.wait(id, { regex: '^400000$', fromOffset: 0, ...LONG });
    await eventually(async () => (await manager.summary()).waitingReads === 4);
    await manager.write(id, { input: '' });
    const found = await Promise.all(waits);
    expect(found.map(({ match }) => match?.text)).toEqual(['NEEDLE', 'NEEDLE', 'line-399999']);
    expect(await end).toMatchObject({ reason: 'regex' });
  });

  it('ends with a command', async () => {
    const manager = startManager();
    const { id } = await manager.create({ shell: BASH.shell });
    const { commandId, completed } = await manager.exec(id, { command: 'read line', ...LONG });
    expect(completed).toBe(false);
    const waiting = manager.wait(id, { commandId, ...LONG });
    await manager.write(id, { input: 'typed' });
    expect(await waiting).toMatchObject({ reason: 'command', isActive: true });
    await expect(manager.wait(id, { commandId: 99 })).rejects.toEqual(error('COMMAND_NOT_FOUND'));
  });
});

describe('a wait in a host that ends', () => {
  it('continues in the host that takes over, and misses nothing', async () => {
    const manager = openManager(newPlaces());
    const { id } = await script(manager, 'read x; echo first; read x; echo second; cat');
    const waiting = manager.wait(id, { text: 'second', ...LONG });
    await eventually(async () => (await manager.summary()).waitingReads > 0);
    await manager.write(id, { input: '' });
    await readUntilText(manager, id, 'first');
    expect(await manager.upgradeHosts()).toHaveLength(1);
    // The connection to the old host ends about now, and with it pending requests. A list is retried.
    await manager.list();
    await manager.write(id, { input: '' });
    expect(await waiting).toMatchObject({ reason: 'text', match: { line: 'second' } });
    const input = await manager.wait(id, { input: true, ...LONG });
    expect(input).toMatchObject({ waiting: { kind: 'line', by: 'cat', certain: true } });
  });

  it('ends with a lost terminal', async () => {
    const places = newPlaces();
    const manager = openManager(places);
    const { id } = await run(manager, 'cat');
    const waiting = manager.wait(id, { text: 'never', ...LONG });
    await eventually(async () => (await manager.summary()).waitingReads > 0);
    await Promise.all(hostPids(places).map(murder));
    const lost = { reason: 'exit', isActive: false, exitCode: null, signal: null };
    expect(await waiting).toMatchObject(lost);
    expect(await manager.wait(id, { timeoutMs: 0 })).toMatchObject(lost);
  });
});
