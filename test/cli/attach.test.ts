/**
 * Tests `tenacitty attach` by people with their own terminals: what they see, whose size applies, and what they find
 * afterwards.
 */
import type { TerminalSize } from '../../src/contract/terminal.js';
import { Screen } from '../../src/screen/screen.js';
import type { ScreenEvents } from '../../src/screen/screen.js';
import type { Program } from '../pty/program.js';
import { sharedPlace, shortlyNamed } from './place.js';
import type { Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

const DETACH = '\x1c';
/** Switches on everything that a full-screen program does. */
const FULL_SCREEN =
  '\\033[?1049h\\033[?1000h\\033[?1006h\\033[?2004h\\033[?25l\\033[?1h\\033=\\033[>1u\\033[2;9r\\033[31m';

const NOBODY: ScreenEvents = { onRowLeft: () => {}, onReply: () => {} };

/** Returns what a person's terminal shows after all output to it. */
function shown(person: Program, size: TerminalSize = { cols: 80, rows: 24 }) {
  const screen = new Screen(size.cols, size.rows, NOBODY);
  screen.write(Buffer.from(person.output));
  return screen.snapshot('text');
}

/** Attaches and waits until the screen's contents have arrived. */
async function attach(id: string, size?: TerminalSize, ...flags: string[]): Promise<Program> {
  const person = place.inTerminal(['attach', id, ...flags]);
  if (size) person.pty.resize(size.cols, size.rows);
  await person.until(/ready/);
  return person;
}

describe('tenacitty attach', () => {
  it('shows the current screen, types what is typed, and detaches at the detach key, which it names', async () => {
    const id = await place.open('exec cat');
    const person = await attach(id);
    expect(person.output).toMatch(/attached to terminal [0-9a-f]{8}; Ctrl-\\ detaches/);
    person.type('hello\r');
    await person.until(/hello[^]*hello/);
    expect(shown(person).lines.slice(0, 3)).toEqual(['ready', 'hello', 'hello']);
    person.type(`more${DETACH}unseen`);
    expect(await person.exited).toMatchObject({ exitCode: 0 });
    expect(person.output).toMatch(/detached from terminal [0-9a-f]{8}, which keeps running/);
    await place.until(id, /more/);
    const { status, inputCount } = await place.manager.get(id);
    expect({ status, inputCount }).toEqual({ status: 'active', inputCount: 2 });
  });

  it('shows colours and the cursor of an existing screen', async () => {
    const id = await place.open(`printf '\\033[5;10H\\033[32mgreen\\033[3;3H'; exec cat`);
    await place.until(id, /green/);
    const person = await attach(id);
    await person.until(/green/);
    person.type(DETACH);
    await person.exited;
    const beforeLeaving = person.output.slice(0, person.output.lastIndexOf('green') + 40);
    expect(beforeLeaving).toMatch(/\x1b\[[\d;]*32m[^]*green/);
  });

  it('adds nothing to the output: a bare line feed is not converted', async () => {
    const id = await place.open(`stty -opost; printf 'ready\\r\\n'; read line; printf 'abc\\ndef\\r\\n'; exec cat`);
    const person = await attach(id);
    expect(person.output).toMatch(/detaches\r\n/);
    person.type('\r');
    await person.until(/abc\ndef\r\n/);
    expect(person.output).not.toContain('\r\r\n');
  });

  it('detaches at another key if requested, and passes the usual one on', async () => {
    const id = await place.open(`trap 'echo quit' QUIT; while :; do read line; done`);
    const person = await attach(id, undefined, '--detach-key', 'ctrl-q');
    person.type(DETACH);
    await person.until(/quit/);
    person.type('\x11');
    expect(await person.exited).toMatchObject({ exitCode: 0 });
  });

  it('detaches at the keys in the settings, the first of which is typed if it is pressed twice', async () => {
    const id = await place.open(`trap 'echo quit' QUIT; while :; do read line; done`);
    const person = place.inTerminal(['attach', id], { TENACITTY_DETACH_KEY: 'ctrl-\\,d' });
    await person.until(/ready/);
    expect(person.output).toContain('Ctrl-\\ d detaches');
    person.type(`${DETACH}${DETACH}`);
    await person.until(/quit/);
    person.type(DETACH);
    person.type('d');
    expect(await person.exited).toMatchObject({ exitCode: 0 });
  });

  it('first shows lines that have left the screen, as many as requested', async () => {
    const id = await place.open(`seq 3000; printf '\\033[32mgreen\\033[m\\n'; seq 30; echo end; exec cat`);
    await place.manager.wait(id, { text: 'end', fromOffset: 0 });
    const seenWith = async (...flags: string[]) => {
      const person = place.inTerminal(['attach', id, ...flags]);
      await person.until(/end/);
      person.type(DETACH);
      await person.exited;
      return person.output.slice(0, person.output.indexOf('\x1b[H\x1b[J'));
    };
    const above = await seenWith();
    expect(above).toMatch(/\r\n2999\x1b\[m\r\n3000\x1b\[m\r\n\x1b\[[\d;]*32mgreen[^]*\r\n1\x1b\[m/);
    expect(above.match(/\r\n\d+\x1b\[m/g)!.length).toBeGreaterThan(1900);
    expect(above).not.toMatch(/\r\n500\x1b/);
    expect((await seenWith('--scrollback', '3')).match(/\r\n\d+\x1b\[m/g)).toHaveLength(3);
    expect(await seenWith('--scrollback', '0')).not.toMatch(/\r\n\d+\x1b\[m/);
  });

  it('recognizes the detach key in the encodings that programs can request', async () => {
    const id = await place.open('exec cat');
    const person = await attach(id);
    person.type('\x1b[92;5u');
    expect(await person.exited).toMatchObject({ exitCode: 0 });
    expect((await place.manager.get(id)).inputCount).toBe(0);
  });

  it('reports the exit code of the program that has ended, and exits with 0', async () => {
    const id = await place.open('read line; exit 7');
    const person = await attach(id);
    person.type('\r');
    expect(await person.exited).toMatchObject({ exitCode: 0 });
    expect(person.output).toContain('the program has ended: exit code 7');
    const late = place.inTerminal(['attach', id]);
    expect(await late.exited).toMatchObject({ exitCode: 0 });
    expect(late.output).toContain('has already ended: exit code 7');
  });

  it('reports that the terminal was removed', async () => {
    const id = await place.open('exec cat');
    const person = await attach(id);
    await place.manager.remove(id);
    expect(await person.exited).toMatchObject({ exitCode: 0 });
    expect(person.output).toMatch(/has ended|was removed/);
  });

  it('refuses the terminal in which it runs', async () => {
    const id = await place.open('exec cat');
    const person = place.inTerminalOf('sh', ['-c', `TENACITTY_TERMINAL_ID=${id} exec "$0" "$1" attach ${id}`]);
    expect(await person.exited).toMatchObject({ exitCode: 2 });
    expect(person.output).toContain('cannot be attached to itself');
  });

  it('redraws the screen after it was stopped', async () => {
    const id = await place.open('exec cat');
    const person = await attach(id);
    for (const signal of ['SIGSTOP', 'SIGCONT'] as const) process.kill(person.pty.pid, signal);
    await person.until(/ready[^]*ready/);
    person.type(DETACH);
    expect(await person.exited).toMatchObject({ exitCode: 0 });
  });

  it('needs a terminal', async () => {
    const id = await place.open('exec cat');
    const { code, stdout, stderr } = await place.run('attach', id);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(shortlyNamed(stderr)).toContain('tenacitty logs -f');
  });

  it('does not pass queries on to the person’s terminal, which would answer a second time', async () => {
    const id = await place.open(`read line; printf '\\033[c\\033[6n\\033]11;?\\007asked\\n'; exec cat`);
    const person = await attach(id);
    person.type('\r');
    await person.until(/asked/);
    expect(person.output).not.toMatch(/\x1b\[c|\x1b\[6n|\x1b\]11;\?/);
  });
});

describe('the person’s terminal', () => {
  const ends: [string, (person: Program, id: string) => Promise<unknown> | void, number][] = [
    ['they leave', (person) => person.type(DETACH), 0],
    ['the program ends', (_person, id) => place.manager.kill(id, { signal: 'SIGKILL' }), 0],
    ['the command gets a signal', (person) => void process.kill(person.pty.pid, 'SIGTERM'), 143],
  ];

  it.each(ends)('is restored when %s', async (_when, end, exitCode) => {
    const id = await place.open(`stty raw; printf '${FULL_SCREEN}full screen'; exec cat`);
    await place.until(id, /ready/);
    const person = place.inTerminal(['attach', id]);
    await person.until(/full screen/);
    expect(shown(person)).toMatchObject({ alternate: true, cursor: { visible: false } });
    await end(person, id);
    expect(await person.exited).toMatchObject({ exitCode });
    await person.closed;
    const { alternate, cursor, modes, lines } = shown(person);
    expect({ alternate, isVisible: cursor.visible }).toEqual({ alternate: false, isVisible: true });
    const fresh = new Screen(80, 24, NOBODY).snapshot('text').modes;
    expect(modes).toEqual(fresh);
    expect(lines.join('\n')).not.toContain('full screen');
    const [pushes, pops] = [person.output.match(/\x1b\[>\d*u/g) ?? [], person.output.match(/\x1b\[<1u/g) ?? []];
    expect(pops).toHaveLength(pushes.length);
  });

  it('is in line mode again: input is echoed, and Enter ends a line', async () => {
    const id = await place.open('exec cat');
    const script = `"$0" "$1" attach ${id}; stty -a; echo over; read line; echo "<$line>"`;
    const person = place.inTerminalOf('sh', ['-c', script]);
    await person.until(/ready/);
    person.type(DETACH);
    await person.until(/ icanon[^]* echo [^]*over/);
    person.type('typed\r');
    await person.until(/<typed>/);
  });
});

describe('the size', () => {
  const WIDE = { cols: 100, rows: 30 };
  const NARROW = { cols: 60, rows: 20 };

  /** The sizes as they are applied. */
  async function* sizesOf(id: string): AsyncGenerator<string> {
    for await (const event of await place.manager.subscribe(id, 0)) {
      if (event.type === 'resize') yield `${event.cols}x${event.rows}`;
    }
  }
  const next = async (sizes: AsyncGenerator<string>) => (await sizes.next()).value as string;

  it('is that of the client that typed last', async () => {
    const id = await place.open('exec cat');
    const sizes = sizesOf(id);
    const first = await attach(id, WIDE);
    expect(await next(sizes)).toBe('100x30');
    const second = await attach(id, NARROW);
    second.type('zwei');
    expect(await next(sizes)).toBe('60x20');
    // The first client has seen who typed, and so that its own window size no longer applies.
    await first.until(/zwei/);
    first.type('first');
    expect(await next(sizes)).toBe('100x30');
    // So has the second.
    await second.until(/first/);
    second.pty.resize(70, 25);
    first.pty.resize(110, 35);
    expect(await next(sizes)).toBe('110x35');
    second.type('c');
    expect(await next(sizes)).toBe('70x25');
    for (const person of [first, second]) person.type(DETACH);
    await Promise.all([first.exited, second.exited]);
  });

  it('is applied before the first key', async () => {
    const id = await place.open(`stty -icanon -echo; dd bs=1 count=1 2>/dev/null; stty size; exec cat`);
    const watcher = await attach(id, WIDE);
    const person = await attach(id, NARROW);
    person.type('k');
    await person.until(/k20 60/);
    watcher.type(DETACH);
    await watcher.exited;
  });

  it('is not changed by read-only clients, which type nothing either', async () => {
    const id = await place.open('exec cat');
    const watcher = await attach(id, WIDE, '--read-only');
    expect(watcher.output).toContain('watching terminal');
    watcher.type('unseen\r');
    watcher.pty.resize(50, 10);
    await place.manager.write(id, { input: 'seen' });
    await watcher.until(/seen[^]*seen/);
    watcher.type('\x03');
    expect(await watcher.exited).toMatchObject({ exitCode: 0 });
    expect(await place.manager.get(id)).toMatchObject({ status: 'active', cols: 80, rows: 24, inputCount: 1 });
  });
});
