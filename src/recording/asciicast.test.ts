/** Tests the encoding as asciicast: whatever was written when, a player shows the same screen at the same times. */
import fc from 'fast-check';
import { Screen } from '../screen/screen.js';
import { asciicastV2, asciicastV3 } from './asciicast.js';
import { limitPauses } from './pauses.js';
import { readCast } from './read-cast.js';
import type { RecordedEvent, RecordingHead } from './recording.js';

const HEAD: RecordingHead = {
  ...{ terminalId: 't', title: 'a "title"', command: 'sh', cols: 20, rows: 6, started: 1_700_000_000_000.4 },
  ...{ timing: 'reads', fromOffset: 0, toOffset: 0, dropped: 0, snapshot: '' },
};

const text = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '你好',
    '🚀é',
    '\x1b[1;31m',
    '\x1b[2J\x1b[H',
    '\r\n',
    '\x1b]0;title\x07',
    '\x1b[?1049h',
    '\x1b[?1049l',
  ),
);
/** Text, cut anywhere into chunks. */
const chunks = fc
  .tuple(fc.array(text, { maxLength: 20 }), fc.array(fc.nat(), { maxLength: 12 }))
  .map(([parts, cuts]) => {
    const bytes = Buffer.from(parts.join(''));
    const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
    return [0, ...at].map((from, i) => bytes.subarray(from, at[i] ?? bytes.length));
  });
const what = fc.oneof(
  { weight: 4, arbitrary: chunks.map((all) => all.map((bytes) => ({ type: 'output' as const, bytes }))) },
  fc
    .record({
      type: fc.constant('resize' as const),
      cols: fc.integer({ min: 2, max: 30 }),
      rows: fc.integer({ min: 1, max: 9 }),
    })
    .map((resize) => [resize]),
  fc.string().map((label) => [{ type: 'marker' as const, label }]),
);
const events = fc.array(what, { maxLength: 12 }).chain((all) => {
  const flat = all.flat();
  const pauses = fc.array(fc.double({ min: 0, max: 100_000, noNaN: true }), {
    minLength: flat.length,
    maxLength: flat.length,
  });
  return pauses.map((each): RecordedEvent[] => {
    let time = HEAD.started;
    return flat.map((event, i) => ({ ...event, time: (time += each[i]!) }));
  });
});

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

async function castOf(encode: typeof asciicastV3, given: readonly RecordedEvent[], head = HEAD) {
  const lines: string[] = [];
  for await (const line of encode({ head, events: each(given) })) lines.push(line);
  return { lines: lines.map((line) => JSON.parse(line) as unknown[]), cast: await readCast(each(lines)) };
}

function newScreen(): Screen {
  return new Screen(HEAD.cols, HEAD.rows, { onRowLeft: () => {}, onReply: () => {} });
}

function shown(screen: Screen): unknown {
  return { ...screen.snapshot('ansi'), restoration: screen.restoration().data };
}

it('shows the same screen, played on a new emulator, in both versions', async () => {
  const property = fc.asyncProperty(events, async (given) => {
    const original = newScreen();
    for (const event of given) {
      if (event.type === 'output') original.write(event.bytes);
      if (event.type === 'resize') original.resize(event.cols, event.rows);
    }
    for (const encode of [asciicastV3, asciicastV2]) {
      const played = newScreen();
      for (const { code, data } of (await castOf(encode, given)).cast.events) {
        if (code === 'o') played.write(Buffer.from(data));
        if (code === 'r') played.resize(...(data.split('x').map(Number) as [number, number]));
      }
      expect(shown(played)).toEqual(shown(original));
    }
  });
  await fc.assert(property);
});

it('gives the same times in both versions, true to a millisecond however many there are', async () => {
  const property = fc.asyncProperty(events, async (given) => {
    const [v3, v2] = await Promise.all([castOf(asciicastV3, given), castOf(asciicastV2, given)]);
    expect(v3.cast.events.map(({ time, ...rest }) => ({ ...rest, time: Math.round(time) }))).toEqual(
      v2.cast.events.map(({ time, ...rest }) => ({ ...rest, time: Math.round(time) })),
    );
    const last = given.findLast(({ type }) => type === 'marker');
    const shownLast = v3.cast.events.findLast(({ code }) => code === 'm');
    if (last !== undefined) expect(Math.abs(shownLast!.time - (last.time - HEAD.started))).toBeLessThanOrEqual(1.001);
  });
  await fc.assert(property);
});

it('divides no character between two events', async () => {
  const bytes = Buffer.from('a你🚀é\x1b[1mb');
  for (let cut = 0; cut <= bytes.length; cut++) {
    const given = [bytes.subarray(0, cut), bytes.subarray(cut)].map((part, i): RecordedEvent => ({
      type: 'output',
      time: HEAD.started + i,
      bytes: part,
    }));
    const { cast } = await castOf(asciicastV3, given);
    expect(cast.events.map(({ data }) => data).join('')).toBe(bytes.toString());
    for (const { data } of cast.events) expect(data).not.toContain('\ufffd');
  }
});

it('begins with a header and the snapshot, and ends with the exit status', async () => {
  const given: RecordedEvent[] = [
    { type: 'output', time: HEAD.started + 1500, bytes: Buffer.from('hi') },
    { type: 'resize', time: HEAD.started + 1500, cols: 30, rows: 9 },
    { type: 'marker', time: HEAD.started + 2000, label: 'npm test → exit 1' },
    { type: 'exit', time: HEAD.started + 3000, status: 1 },
  ];
  const head = { ...HEAD, snapshot: '\x1b[1m', dropped: 7, timing: 'lines' as const };
  const tenacitty = { terminalId: 't', timing: 'lines', fromOffset: 0, toOffset: 0, dropped: 7 };
  const about = { timestamp: 1_700_000_000, title: 'a "title"', command: 'sh', tenacitty };
  const term = { cols: 20, rows: 6, type: 'xterm-256color' };
  expect((await castOf(asciicastV3, given, head)).lines).toEqual([
    { version: 3, term, ...about },
    ...[
      [0, 'o', '\x1b[1m'],
      [1.5, 'o', 'hi'],
      [0, 'r', '30x9'],
      [0.5, 'm', 'npm test → exit 1'],
      [1, 'x', '1'],
    ],
  ]);
  expect((await castOf(asciicastV2, given, head)).lines).toEqual([
    { version: 2, width: 20, height: 6, ...about, env: { TERM: 'xterm-256color' } },
    ...[
      [0, 'o', '\x1b[1m'],
      [1.5, 'o', 'hi'],
      [1.5, 'r', '30x9'],
      [2, 'm', 'npm test → exit 1'],
    ],
  ]);
});

it('shortens pauses that are longer than the limit, and no others', () => {
  const limited = limitPauses(1000, 200);
  expect([1100, 1100, 1300, 1501, 9000, 9001].map(limited)).toEqual([1100, 1100, 1300, 1500, 1700, 1701]);
});

it.each([
  ['nothing', [], 'header'],
  ['version 1', ['{"version":1}'], 'line 1: expected the header'],
  ['no JSON', ['{"version":3}', '[1,"o"'], 'line 2: expected [seconds, code, data]'],
  ['a negative time', ['{"version":3}', '# a comment', '[-1,"o",""]'], 'line 3: expected [seconds'],
  ['an endless time', ['{"version":2}', '[1e300,"o",""]'], 'line 2: expected [seconds'],
])('rejects %s, and says where', async (_what, lines, message) => {
  await expect(readCast(each(lines))).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(message),
  });
});
