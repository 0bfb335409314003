/** Tests `tenacitty attach` to a terminal that is held: by the person, or by another caller. */
import { userInfo } from 'node:os';
import type { Program } from '../pty/program.js';
import { eventually } from '../eventually.js';
import { sharedPlace, shortlyNamed } from './place.js';
import type { Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

const DETACH = '\x1c';

/** It says so at the start, and again when it refuses input. */
const REFUSED = /Ada has held this terminal[^]*Ada has held this terminal/;

const holderOf = async (id: string) => (await place.manager.get(id)).holder;

async function attach(id: string, ...flags: string[]): Promise<Program> {
  const person = place.inTerminal(['attach', id, ...flags]);
  await person.until(/ready/);
  return person;
}

/** Holds a terminal as another caller. */
async function heldByAda(id: string): Promise<{ readonly hold: string }> {
  const { token } = await place.manager.control(id, { action: 'take', name: 'Ada' });
  return { hold: token! };
}

describe('tenacitty attach --take', () => {
  it('holds the terminal until the person detaches', async () => {
    const id = await place.open('exec cat');
    const person = await attach(id, '--take');
    expect(await holderOf(id)).toMatchObject({ name: userInfo().username });
    const { code, stderr } = await place.run('send', id, 'refused');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${userInfo().username} has held this terminal`)]);
    person.type('typed\r');
    await person.until(/typed[^]*typed/);
    person.type(DETACH);
    expect(await person.exited).toMatchObject({ exitCode: 0 });
    expect(await holderOf(id)).toBeNull();
    expect(await place.until(id, /typed/)).not.toContain('refused');
  });

  it('takes the terminal over, and is refused once another caller has taken it', async () => {
    const id = await place.open('exec cat');
    await heldByAda(id);
    const person = await attach(id, '--take');
    expect(await holderOf(id)).toMatchObject({ name: userInfo().username });
    await heldByAda(id);
    person.type('refused\r');
    await person.until(/Ada has held this terminal for \d+s; your input is rejected/);
    person.type(DETACH);
    expect(await person.exited).toMatchObject({ exitCode: 0 });
    expect(await holderOf(id)).toMatchObject({ name: 'Ada' });
  });

  it('hands the terminal back when it is ended by a signal', async () => {
    const id = await place.open('exec cat');
    const person = await attach(id, '--take');
    process.kill(person.pty.pid, 'SIGTERM');
    await person.exited;
    expect(await holderOf(id)).toBeNull();
  });

  it('excludes --read-only', async () => {
    const { code, stderr } = await place.run('attach', '--take', '--read-only');
    expect([code, shortlyNamed(stderr)]).toEqual([2, expect.stringContaining('Give either --read-only or --take')]);
  });
});

describe('tenacitty attach to a terminal that another caller holds', () => {
  it('says who holds it, and refuses input with one line', async () => {
    const id = await place.open('exec cat');
    await heldByAda(id);
    const person = await attach(id);
    expect(person.output).toMatch(/Ada has held this terminal for \d+s; your input is rejected until/);
    person.type('refused\r');
    await person.until(REFUSED);
    person.type(`again\r${DETACH}`);
    expect(await person.exited).toMatchObject({ exitCode: 0 });
    expect(person.output.match(/Ada has held/g)).toHaveLength(2);
    expect(await place.until(id, /ready/)).not.toMatch(/refused|again/);
  });

  it('types again once it is handed back', async () => {
    const id = await place.open('exec cat');
    const mine = await heldByAda(id);
    const person = await attach(id);
    person.type('x');
    await person.until(REFUSED);
    await place.manager.control(id, { action: 'release' }, mine);
    await eventually(() => {
      person.type('y');
      return person.output.includes('yy');
    });
    expect(await place.until(id, /y/)).not.toContain('x');
  });

  it('does not change its size', async () => {
    const id = await place.open('exec cat', { cols: 100, rows: 30 });
    await heldByAda(id);
    const person = await attach(id);
    person.type('x');
    await person.until(REFUSED);
    expect(await place.manager.get(id)).toMatchObject({ cols: 100, rows: 30 });
  });

  it('only says so if the person only watches', async () => {
    const id = await place.open('exec cat');
    await heldByAda(id);
    const person = await attach(id, '--read-only');
    expect(person.output).toMatch(/Ada has held this terminal for \d+s\r\n/);
  });
});

describe('tenacitty ls', () => {
  it('shows who holds a terminal, and nothing of it if none is held', async () => {
    const id = await place.open('exec cat');
    expect(await place.stdout('ls')).not.toContain('HELD BY');
    await heldByAda(id);
    expect(await place.stdout('ls')).toMatch(/HELD BY[^]*Ada/);
  });
});

describe('tenacitty', () => {
  it('is recorded as the caller, with the name of the user', async () => {
    const by = { name: userInfo().username, door: 'cli' };
    const id = (await place.stdout('new', '--', 'cat')).trim();
    await place.stdout('send', id, 'typed');
    expect(await place.manager.get(id)).toMatchObject({ createdBy: by, lastTypedBy: by });
  });
});
