import { startServer, type ServerUnderTest } from './server-under-test.js';
import { eventually } from '../eventually.js';

let server: ServerUnderTest;
beforeAll(async () => void (server = await startServer()));
afterAll(() => server.stop());

const api = () => server.api;
const read = async (id: string, query: object = {}) =>
  (await api().get(`/api/terminals/${id}/output`, { ...query })).body.data;

/** Returns the id of a terminal that has written the numbers 1 to `count`, one per line, and ended. */
async function counted(count: number): Promise<string> {
  const id = await api().run(`seq 1 ${count}`);
  await api().ended(id);
  return id;
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at)).join('\n');

describe('GET /api/terminals/:terminalId/output', () => {
  it('returns all of a short output by default', async () => {
    const data = await read(await counted(100));
    expect(data.output.trimEnd()).toBe(numbers(1, 100));
    expect(data).toMatchObject({ totalLines: 100, nextReadFrom: 100, hasMore: false, truncated: false });
    expect(data.stats).toMatchObject({ linesShown: 100, linesOmitted: 0 });
  });

  it('returns the head, the tail, or both', async () => {
    const id = await counted(100);
    const head = await read(id, { mode: 'head', headLines: 3 });
    expect(head.output.trimEnd()).toBe('1\n2\n3');
    expect(head.stats).toMatchObject({ linesShown: 3, linesOmitted: 97 });
    const tail = await read(id, { mode: 'tail', tailLines: 2 });
    expect(tail.output.trimEnd()).toBe('99\n100');
    expect(tail.truncated).toBe(true);
    const both = await read(id, { mode: 'head-tail', headLines: 1, tailLines: 1 });
    expect(both.output.trimEnd().split('\n')).toEqual(['1', expect.any(String), '100']);
    expect(both.stats.linesOmitted).toBe(98);
  });

  it('derives the mode from a count, and applies it', async () => {
    const id = await counted(6000);
    expect((await read(id, { tailLines: 2 })).output.trimEnd()).toBe('5999\n6000');
    expect((await read(id, { headLines: 2 })).output.trimEnd()).toBe('1\n2');
    expect((await read(id, { headLines: 1, tailLines: 1 })).output.trimEnd()).toBe(
      '1\n... [5998 lines omitted] ...\n6000',
    );
    expect(await read(id, { tailLines: 5000 })).toMatchObject({ cutBy: null, stats: { linesShown: 5000 } });
    expect(await read(id)).toMatchObject({ cutBy: 'maxLines', hasMore: true, stats: { linesShown: 1000 } });
    const small = await read(id, { tailLines: 5000, maxBytes: 1024 });
    expect(small).toMatchObject({ cutBy: 'maxBytes', hasMore: false, truncated: true });
    expect(await read(id, { mode: 'full', headLines: 50, tailLines: 50, maxLines: 1000 })).toEqual(await read(id));
  });

  it('starts at `since` and ends after `maxLines`, reporting that there is more', async () => {
    const id = await counted(50);
    const first = await read(id, { since: 10, maxLines: 20 });
    expect(first.output.trimEnd()).toBe(numbers(11, 30));
    expect(first).toMatchObject({ fromLine: 10, nextReadFrom: 30, hasMore: true });
    const rest = await read(id, { since: first.nextReadFrom });
    expect(rest.output.trimEnd()).toBe(numbers(31, 50));
    expect(rest.hasMore).toBe(false);
  });

  it('cuts an answer at `maxBytes`, at a line ending', async () => {
    const id = await counted(1000);
    const page = await read(id, { maxBytes: 1024 });
    expect(Buffer.byteLength(page.output)).toBeLessThanOrEqual(1024);
    expect(page.output.trimEnd()).toBe(numbers(1, page.stats.linesShown));
    expect(page.hasMore).toBe(true);
  });

  it('reads a running program by cursor without loss or repetition', async () => {
    const id = await api().run('i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo $i; done');
    let seen = '';
    let page = await read(id, { maxLines: 37 });
    for (;;) {
      seen += page.output;
      if (!page.isActive && !page.hasMore) break;
      page = await read(id, { cursor: page.cursor, maxLines: 37, timeoutMs: 20_000 });
      if (seen && !seen.endsWith('\n') && !page.continuesLine && page.output) seen += '\n';
    }
    expect(seen.trimEnd()).toBe(numbers(1, 300));
  });

  it('keeps colours in `ansi` and bytes in `raw`', async () => {
    const id = await api().run(String.raw`printf '\033[31mred\033[0m\n'`);
    await api().ended(id);
    expect((await read(id)).output.trimEnd()).toBe('red');
    expect((await read(id, { format: 'ansi' })).output).toContain('\x1b[31mred');
    expect((await read(id, { format: 'raw' })).output).toContain('\x1b[31mred\x1b[0m\r\n');
  });

  it('refuses `since` together with `cursor`, and an unknown cursor', async () => {
    const id = await counted(3);
    const { cursor } = await read(id);
    for (const query of [{ since: 1, cursor }, { cursor: 'never-given!' }]) {
      const { status, body } = await api().get(`/api/terminals/${id}/output`, query);
      expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
      expect(body.error.details.issues[0].field).toContain('cursor');
    }
  });
});

describe('DELETE /api/terminals/:terminalId/output', () => {
  it('clears what was held, and continues the numbering', async () => {
    const id = await api().create();
    await api().type(id, 'echo old-$((1+1))');
    await api().readUntil(id, 'old-2');
    const { body } = await api().delete(`/api/terminals/${id}/output`);
    expect(body).toEqual({ success: true, message: 'Output cleared successfully' });
    await api().type(id, 'echo new-$((1+1))');
    const seen = await api().readUntil(id, 'new-2');
    expect(seen).not.toContain('old-2');
    expect((await read(id)).totalLines).toBeGreaterThan(1);
  });
});

describe('GET /api/terminals/:terminalId/screen', () => {
  it('returns what a person would see, with or without colours', async () => {
    const id = await api().run(String.raw`printf '\033[?1049h\033[2J\033[2;5H\033[32mmenu\033[0m'; read x`);
    const look = async () => (await api().get(`/api/terminals/${id}/screen`)).body.data;
    // A full-screen program writes nothing to the history that could be awaited.
    await eventually(async () => (await look()).lines[1] !== '');
    const data = await look();
    expect(data).toMatchObject({ cols: 80, rows: 24, alternate: true, cursor: { x: 8, y: 1, visible: true } });
    expect(data.lines[1]).toBe('    menu');
    const ansi = await api().get(`/api/terminals/${id}/screen`, { format: 'ansi' });
    expect(ansi.body.data.lines[1]).toContain('\x1b[32m');
  });
});

describe('GET /api/terminals/:terminalId/stats', () => {
  it('answers with exactly the fields of the original specification', async () => {
    const { body } = await api().get(`/api/terminals/${await counted(500)}/stats`);
    const { terminalId, history, ...numbersOnly } = body.data;
    expect(terminalId).toMatch(/./);
    expect(history).toMatchObject({ place: 'memory', state: 'ok', diskBytes: 0, droppedLines: 0 });
    expect(numbersOnly).toEqual({
      totalLines: 500,
      // The terminal turns each line ending into two bytes.
      totalBytes: `${numbers(1, 500)}\n`.replaceAll('\n', '\r\n').length,
      estimatedTokens: expect.any(Number),
      bufferSize: 500,
      oldestLine: 0,
      newestLine: 499,
      isActive: false,
    });
  });
});
