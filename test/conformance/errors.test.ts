/** Tests calls that are rejected: code, message and details are the same wherever the terminals are held. */
import type { TerminalManager } from '../../src/contract/manager.js';
import { TerminalError } from '../../src/errors.js';
import { MANAGERS, readUntilExit, readUntilText, run, stopEngines } from '../engine/engine-under-test.js';
import type { Limits } from '../engine/engine-under-test.js';

const LIMITS: Limits = { maxInputBytes: 100, maxPendingInputBytes: 50, maxEnvBytes: 1000, maxTerminals: 2 };
const NOBODY = 'no-such-terminal';

interface Place {
  readonly manager: TerminalManager;
  /** A terminal whose program runs and reads nothing. */
  readonly active: string;
  readonly ended: string;
}

type Call = (place: Place) => Promise<unknown>;

/** Passes arguments that the types forbid. */
const wrong = (value: unknown): never => value as never;

/** Every method, called with an unknown terminal. */
const ON_NOBODY: Record<string, Call> = {
  get: ({ manager }) => manager.get(NOBODY),
  'get of an invalid id': ({ manager }) => manager.get('../../etc/passwd'),
  'get of nothing': ({ manager }) => manager.get(''),
  write: ({ manager }) => manager.write(NOBODY, { input: 'x' }),
  'write, wrongly': ({ manager }) => manager.write(NOBODY, wrong({})),
  read: ({ manager }) => manager.read(NOBODY),
  'read, waiting': ({ manager }) => manager.read(NOBODY, { timeoutMs: 60_000 }),
  stats: ({ manager }) => manager.stats(NOBODY),
  screen: ({ manager }) => manager.screen(NOBODY),
  snapshot: ({ manager }) => manager.snapshot(NOBODY),
  resize: ({ manager }) => manager.resize(NOBODY, { cols: 10, rows: 10 }),
  signal: ({ manager }) => manager.signal(NOBODY, { signal: 'SIGINT' }),
  clear: ({ manager }) => manager.clear(NOBODY),
  kill: ({ manager }) => manager.kill(NOBODY),
  remove: ({ manager }) => manager.remove(NOBODY),
  subscribe: ({ manager }) => manager.subscribe(NOBODY),
  'create like it': ({ manager }) => manager.create({ like: NOBODY }),
};

const ON_ENDED: Record<string, Call> = {
  write: ({ manager, ended }) => manager.write(ended, { input: 'x' }),
  resize: ({ manager, ended }) => manager.resize(ended, { cols: 10, rows: 10 }),
  signal: ({ manager, ended }) => manager.signal(ended, { signal: 'SIGINT' }),
  'resize, wrongly': ({ manager, ended }) => manager.resize(ended, { cols: 0, rows: 10 }),
};

const TO_CREATE: Record<string, Call> = {
  'a screen without columns': ({ manager }) => manager.create({ cols: 0 }),
  'a screen of parts of rows': ({ manager }) => manager.create({ rows: 2.5 }),
  'a screen of no number': ({ manager }) => manager.create({ cols: NaN }),
  'a screen without end': ({ manager }) => manager.create({ cols: Infinity }),
  'a field that is not known': ({ manager }) => manager.create(wrong({ shel: 'bash' })),
  'shell and command': ({ manager }) => manager.create({ shell: 'sh', command: 'ls' }),
  'no options but a word': ({ manager }) => manager.create(wrong('bash')),
  null: ({ manager }) => manager.create(wrong(null)),
  'a shell that is not there': ({ manager }) => manager.create({ shell: '/no/such/shell' }),
  'a command that is not on PATH': ({ manager }) => manager.create({ command: 'no-such-command' }),
  'a shell that is no program': ({ manager }) => manager.create({ shell: '/etc/passwd' }),
  'a directory that is not there': ({ manager }) => manager.create({ cwd: '/no/such/directory' }),
  'a directory that is a file': ({ manager }) => manager.create({ cwd: '/etc/passwd' }),
  'an argument with NUL': ({ manager }) => manager.create({ command: 'echo', args: ['a\0b'] }),
  'a variable without a name': ({ manager }) => manager.create({ env: { '': 'x' } }),
  'too large an environment': ({ manager }) => manager.create({ env: { LONG: 'x'.repeat(1001) } }),
  'a model that has no id': ({ manager }) => manager.create({ like: 'not an id' }),
  'history nowhere': ({ manager }) => manager.create(wrong({ history: 'cloud' })),
  'one terminal too many': ({ manager }) => manager.create({ command: 'true' }),
};

const ON_ACTIVE: Record<string, Call> = {
  'write nothing': ({ manager, active }) => manager.write(active, {}),
  'write undefined': ({ manager, active }) => manager.write(active, wrong(undefined)),
  'write a number': ({ manager, active }) => manager.write(active, wrong({ input: 5 })),
  'write unknown keys': ({ manager, active }) => manager.write(active, { keys: ['ctrl-nothing'] }),
  'write too much': ({ manager, active }) => manager.write(active, { input: 'x'.repeat(101), raw: true }),
  'write more than is taken': ({ manager, active }) => manager.write(active, { input: 'x'.repeat(90), raw: true }),
  'read since a half': ({ manager, active }) => manager.read(active, { since: 0.5 }),
  'read since and after': ({ manager, active }) => manager.read(active, { since: 0, cursor: 'x' }),
  'read after a wrong cursor': ({ manager, active }) => manager.read(active, { cursor: 'nonsense' }),
  'read in a mode that is not known': ({ manager, active }) => manager.read(active, wrong({ mode: 'middle' })),
  'read for ever': ({ manager, active }) => manager.read(active, { timeoutMs: Infinity }),
  'read entries of bytes': ({ manager, active }) => manager.read(active, { entries: true, format: 'raw' }),
  'read null': ({ manager, active }) => manager.read(active, wrong(null)),
  'screen of bytes': ({ manager, active }) => manager.screen(active, wrong('raw')),
  'screen of null': ({ manager, active }) => manager.screen(active, wrong(null)),
  'resize to nothing': ({ manager, active }) => manager.resize(active, wrong({})),
  'resize to undefined': ({ manager, active }) => manager.resize(active, wrong(undefined)),
  'resize to more than there may be': ({ manager, active }) => manager.resize(active, { cols: 1001, rows: 1001 }),
  'unknown signal': ({ manager, active }) => manager.signal(active, wrong({ signal: 'SIGNOTHING' })),
  'signal to no process': ({ manager, active }) => manager.signal(active, wrong({ signal: 'SIGINT', target: 'me' })),
  'kill by what does not end': ({ manager, active }) => manager.kill(active, wrong({ signal: 'SIGSTOP' })),
  'kill in less than no time': ({ manager, active }) => manager.kill(active, { graceMs: -1 }),
  'kill null': ({ manager, active }) => manager.kill(active, wrong(null)),
  'remove in too long a time': ({ manager, active }) => manager.remove(active, { graceMs: 60_001 }),
  'subscribe before the beginning': ({ manager, active }) => manager.subscribe(active, -1),
  'subscribe to what is not written': ({ manager, active }) => manager.subscribe(active, 1000),
  'subscribe to half a byte': ({ manager, active }) => manager.subscribe(active, 0.5),
  'subscribe to no number': ({ manager, active }) => manager.subscribe(active, NaN),
  'subscribe to null': ({ manager, active }) => manager.subscribe(active, wrong(null)),
};

/** The first is checked against the expected codes, all others against the first. */
let places: Place[];

beforeAll(async () => {
  places = await Promise.all(MANAGERS.map(([, start]) => furnish(start(LIMITS))));
});

afterAll(() => stopEngines());

/** Creates the maximum number of terminals; one of them ends when it gets input. */
async function furnish(manager: TerminalManager): Promise<Place> {
  const { id: ended } = await run(manager, 'sh', '-c', 'exit 7');
  await readUntilExit(manager, ended);
  const { id: active } = await run(manager, 'sh', '-c', 'stty raw -echo; printf ready; exec sleep 1000');
  await readUntilText(manager, active, 'ready');
  await run(manager, 'sleep', '1000');
  return { manager, active, ended };
}

/** Returns an error without its stack, with the ids of terminals replaced by their roles. */
async function refusal(place: Place, call: Call): Promise<unknown> {
  const error = await call(place).then(
    (answer) => ({ answer }),
    (cause: unknown) => cause,
  );
  if (!(error instanceof TerminalError)) return { error };
  const { code, message, details, kind } = error;
  const text = JSON.stringify({ code, message, details, kind });
  return JSON.parse(text.replaceAll(place.active, 'ACTIVE').replaceAll(place.ended, 'ENDED'));
}

describe.each([
  ['a terminal that does not exist', ON_NOBODY],
  ['a terminal that has ended', ON_ENDED],
  ['a new terminal', TO_CREATE],
  ['a terminal that runs', ON_ACTIVE],
])('refused of %s, the same wherever it is held:', (_of, calls) => {
  it.each(Object.entries(calls))('%s', async (_what, call) => {
    const [expected, ...others] = await Promise.all(places.map((place) => refusal(place, call)));
    expect(expected).toMatchObject({ code: expect.any(String) });
    for (const other of others) expect(other).toEqual(expected);
  });
});
