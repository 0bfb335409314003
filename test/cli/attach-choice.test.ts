/** Tests `tenacitty attach` without an ID, `tenacitty new --attach`, and that the commands in hints work as typed. */
import { execFile } from 'node:child_process';
import type { Program } from '../pty/program.js';
import { MAIN, sharedPlace, shortlyNamed } from './place.js';
import type { Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

const DETACH = '\x1c';

async function left(person: Program): Promise<string> {
  person.type(DETACH);
  expect(await person.exited).toMatchObject({ exitCode: 0 });
  return person.output;
}

function short(id: string): string {
  return id.slice(0, 8);
}

/** Runs a line as a person types it, in a shell without any of this place's settings. */
function typed(line: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const { PATH, HOME } = place.env;
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', line], { env: { PATH, HOME } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe('tenacitty attach without an ID', () => {
  it('attaches the only running terminal, and names it', async () => {
    await place.ended('exit 0');
    const id = await place.open('exec cat');
    const person = place.inTerminal(['attach']);
    await person.until(/ready/);
    expect(await left(person)).toContain(`no ID given: attaching to terminal ${short(id)}, the only running one`);
  });

  it('attaches the terminal last typed into or opened, regardless of output in others', async () => {
    const typedInto = await place.open('exec cat');
    await place.open('while :; do echo more; sleep 0.05; done');
    const newest = await place.open('exec cat');
    const first = place.inTerminal(['attach']);
    await first.until(/ready/);
    expect(await left(first)).toContain(`terminal ${short(newest)}, the last one used of 3`);
    await place.stdout('send', typedInto, 'hello');
    const then = place.inTerminal(['attach', '--read-only']);
    await then.until(/hello/);
    expect(await left(then)).toContain(`terminal ${short(typedInto)}, the last one used of 3`);
  });

  it('does not attach the terminal in which it runs', async () => {
    const outer = await place.open('exec cat');
    const inner = await place.open('exec cat');
    await place.stdout('send', inner, 'hello');
    const person = place.inTerminalOf('sh', ['-c', `TENACITTY_TERMINAL_ID=${inner} exec "$0" "$1" attach`]);
    await person.until(/ready/);
    expect(await left(person)).toContain(`terminal ${short(outer)}, the only running one`);
  });

  it('explains how to open a terminal if none runs', async () => {
    const ended = await place.ended('exit 0');
    const person = place.inTerminal(['attach']);
    expect(await person.exited).toMatchObject({ exitCode: 3 });
    expect(shortlyNamed(person.output)).toMatch(
      /No terminal is running\. To open one: tenacitty new --attach --data-dir=\S+/,
    );
    expect((await place.manager.get(ended)).status).toBe('exited');
  });

  it('attaches a terminal by its label', async () => {
    const id = await place.open('exec cat', { labels: { project: 'web' } });
    await place.open('exec cat');
    const person = place.inTerminal(['attach', '--label', 'project=web']);
    await person.until(/ready/);
    expect(await left(person)).toContain(`attached to terminal ${short(id)}`);
  });
});

describe('tenacitty new --attach', () => {
  it('opens a terminal of the person’s size, attaches it, and leaves it running', async () => {
    const person = place.inTerminal([
      'new',
      '--attach',
      '--label',
      'project=web',
      '--',
      'sh',
      '-c',
      'stty size; exec cat',
    ]);
    await person.until(/24 80/);
    const [terminal] = await place.manager.list({ labels: { project: 'web' } });
    expect(await left(person)).toContain(`detached from terminal ${short(terminal!.id)}, which keeps running`);
    expect(await place.manager.get(terminal!.id)).toMatchObject({ status: 'active' });
  });

  it('opens none without a terminal to show it, or with --json', async () => {
    const { code, stderr } = await place.run('new', '--attach', '--', 'cat');
    expect({ code, said: stderr }).toEqual({ code: 2, said: expect.stringContaining('attach needs a terminal') });
    expect((await place.run('new', '--attach', '--json')).code).toBe(2);
    expect(await place.manager.list()).toEqual([]);
  });
});

describe('the commands in hints', () => {
  it('work in a shell without the settings, after attach and run', async () => {
    const id = await place.open('exec cat');
    const person = place.inTerminal(['attach', id]);
    await person.until(/ready/);
    const [, back] = /to attach again: (.*?)\r?\n/.exec(await left(person))!;
    expect(back).toBe(`node ${MAIN} attach ${short(id)} --data-dir=${place.env['TENACITTY_DATA_DIR']}`);
    // It needs a terminal, and reports that only if it could be started.
    expect(await typed(back!)).toMatchObject({ stderr: expect.stringContaining('attach needs a terminal') });
    await place.stdout('kill', id);
    const late = place.inTerminal(['attach', id]);
    await late.exited;
    const [, logs] = /its history: (.*?)\r?\n/.exec(late.output)!;
    expect(await typed(logs!)).toMatchObject({ code: 0, stdout: 'ready\n' });
  });

  it('work after exec', async () => {
    const id = await place.create({ shell: 'bash' });
    const { code, stderr } = await place.run('exec', id, 'read -p "Name? " name; exit 4');
    expect(code).toBe(123);
    const lines = ['to read its output', 'to wait for its end', 'is reading a line'].map(
      (what) => new RegExp(`${what}[:;] (.*)`).exec(stderr)![1]!,
    );
    const [prints, end, send] = lines as [string, string, string];
    expect(await typed(prints)).toMatchObject({ code: 0, stdout: 'Name? \n' });
    expect(await typed(`${send} hello`)).toMatchObject({ code: 0 });
    expect(await typed(end)).toMatchObject({ code: 4 });
  });

  it('work after doctor', async () => {
    await place.open('exec cat');
    const { stdout } = await place.run('doctor', '--port', '9');
    const [, serve] = /to start it: (.*)/.exec(stdout)!;
    expect(serve).toBe(`node ${MAIN} serve --data-dir=${place.env['TENACITTY_DATA_DIR']}`);
    expect(await typed(`${serve} --help`)).toMatchObject({ code: 0 });
  });
});
