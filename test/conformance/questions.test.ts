/** Tests which questions of programs are reported without any request, wherever the terminals are held. */
import type { Question } from '../../src/contract/waiting.js';
import { BASH, MANAGERS, readUntilText, run, stopEngines } from '../engine/engine-under-test.js';
import { asked, followQuestions, overviewOf, untilAnswered } from './asked.js';

afterEach(stopEngines);

const LONG = { timeoutMs: 60_000 };
const FULL_SCREEN = 'stty raw -echo; printf "\\033[?1049h\\033[2J\\033[3;5Hfile.txt"; exec cat';
const kinds = (told: readonly (Question | null)[]): unknown[] => told.map((one) => one && [one.kind, one.prompt]);

describe.each(MANAGERS)('a question %s', (_where, startManager) => {
  it.each<[kind: string, by: string, prompt: string, ...program: [string, ...string[]]]>([
    ['line', 'bash', 'Go on? [Y/n]', 'bash', '-c', 'read -p "Go on? [Y/n] " answer'],
    ['line', 'bash', 'A name:', 'bash', '-c', 'echo A name:; read answer'],
    ['line', 'python3', 'Your name?', 'python3', '-c', 'print("Hello"); input("Your name? ")'],
    ['password', 'bash', 'Secret?', 'bash', '-c', 'read -s -p "Secret? " x'],
    ['key', 'bash', 'Really? (y/n)', 'bash', '-c', "read -s -n 1 -p $'\\e[31mReally?\\e[0m (y/n) ' x"],
    ['program', 'cat', 'file.txt', 'bash', '-c', FULL_SCREEN],
  ])('for a %s by %s: %s', async (kind, by, prompt, command, ...args) => {
    const manager = startManager();
    const before = Date.now();
    const { id } = await run(manager, command, ...args);
    const question = await asked(manager, id);
    expect(question).toEqual({ id: expect.any(String), kind, by, certain: true, since: expect.any(String), prompt });
    expect(Date.parse(question.since)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(question.since)).toBeLessThanOrEqual(Date.now());
  });

  it('names a program and its prompt without what could disguise them', async () => {
    const manager = startManager();
    const program = `exec -a $'/x/\\u202eo\\u200bdus' bash -c 'read -p $1 answer' - $'Delete\\u2066?'`;
    const { id } = await run(manager, 'bash', '-c', program);
    expect(await asked(manager, id)).toMatchObject({ by: '?o?dus', prompt: 'Delete??' });
    expect((await manager.get(id)).foreground).toMatchObject({ name: '?o?dus' });
  });

  it('is new each time, and over when something was typed', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'bash', '-c', 'for n in 1 2 3; do read -p "Again? " x; done; exec sleep 1000');
    const told = await followQuestions(manager, id);
    const first = await asked(manager, id);
    await manager.write(id, { input: 'yes' });
    const second = await asked(manager, id, first.id);
    await manager.write(id, { input: 'yes' });
    const third = await asked(manager, id, second.id);
    await manager.write(id, { input: 'no' });
    await untilAnswered(manager, id);
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
    expect(told).toEqual([...(told[0] === null ? [null] : []), first, null, second, null, third, null]);
  });

  it('does not contain the part of a line that was typed', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'bash', '-c', 'read -p "Name? " x; exec sleep 1000');
    const first = await asked(manager, id);
    await manager.write(id, { input: 'unfinished', raw: true });
    const second = await asked(manager, id, first.id);
    expect((await manager.screen(id)).lines[0]).toBe('Name? unfinished');
    expect([first.prompt, second.prompt]).toEqual(['Name?', 'Name?']);
  });

  it('is over when the program goes on by itself, or ends', async () => {
    const manager = startManager();
    const ask = (question: string) => `printf "${question} "; timeout --foreground 2 cat`;
    const { id } = await run(manager, 'bash', '-c', `${ask('Quick?')}; sleep 2; ${ask('\\nLast?')}`);
    const told = await followQuestions(manager, id);
    await manager.wait(id, { ...LONG });
    await untilAnswered(manager, id);
    expect(kinds(told).filter((one) => one !== null)).toEqual([
      ['line', 'Quick?'],
      ['line', 'Last?'],
    ]);
    expect(told.at(-1)).toBeNull();
  });

  it('is new if the program prints something else', async () => {
    const manager = startManager();
    const script = '(read go < fifo; printf "\\nNews. Name again? ") & read -p "Name? " x';
    const { id } = await run(manager, 'bash', '-c', `cd "$(mktemp -d)"; mkfifo fifo; pwd; ${script}`);
    const first = await asked(manager, id);
    const directory = (await readUntilText(manager, id, /^\/\S+/m)).split('\n')[0]!;
    const other = await run(manager, 'bash', '-c', `echo > ${directory}/fifo; rm -r ${directory}`);
    await manager.wait(other.id, LONG);
    const second = await asked(manager, id, first.id);
    expect([first.prompt, second.prompt]).toEqual(['Name?', 'News. Name again?']);
  });

  it('is not seen in a program that computes silently, then asks', async () => {
    const manager = startManager();
    const compute = 'end=$((SECONDS + 3)); while [ $SECONDS -lt $end ]; do :; done';
    const { id } = await run(manager, 'bash', '-c', `${compute}; sleep 1; read -p "Done? " x`);
    const told = await followQuestions(manager, id);
    await asked(manager, id);
    expect(kinds(told)).toEqual([null, ['line', 'Done?']]);
  });

  it('is not seen behind a program that only passes input on, except for its own', async () => {
    const manager = startManager();
    const passing = await run(manager, 'bash', '-c', 'stty raw -echo; echo there; exec -a ssh cat');
    const told = await followQuestions(manager, passing.id);
    const { id } = await run(manager, 'bash', '-c', 'stty -echo; printf "password: "; exec -a ssh cat');
    expect(await asked(manager, id)).toMatchObject({ kind: 'password', by: 'ssh', prompt: 'password:' });
    await manager.wait(passing.id, { idleMs: 1000, ...LONG });
    expect(told).toEqual([null]);
  });
});

describe.each(MANAGERS)('a shell %s', (_where, startManager) => {
  it('asks nothing at its prompt, but a command asks', async () => {
    const manager = startManager();
    const { id } = await manager.create({ shell: '/bin/bash', env: { PS1: '$ ' } });
    const told = await followQuestions(manager, id);
    await manager.exec(id, { command: 'true' });
    await manager.wait(id, { input: true, ...LONG });
    await manager.exec(id, { command: 'read -p "Which? " x' });
    const question = await asked(manager, id);
    await manager.answer(id, { waiting: question.id, text: 'this' });
    await manager.wait(id, { commandId: 2, ...LONG });
    await manager.wait(id, { idleMs: 500, ...LONG });
    expect(kinds(told)).toEqual([null, ['line', 'Which?'], null]);
  });

  it('asks nothing at its prompt within another shell, integrated or not', async () => {
    const manager = startManager();
    const { id } = await manager.create({ shell: '/bin/bash', env: { PS1: '$ ' } });
    const told = await followQuestions(manager, id);
    await manager.exec(id, { command: 'bash --norc' });
    await manager.wait(id, { idleMs: 700, ...LONG });
    await manager.integrate(id);
    await manager.wait(id, { idleMs: 700, ...LONG });
    expect(told).toEqual([null]);
    await manager.exec(id, { command: 'read -s -p "Secret? " x' });
    expect(await asked(manager, id)).toMatchObject({ kind: 'password', prompt: 'Secret?' });
  });

  it.each([
    ['bash', BASH],
    ['dash', { command: 'dash', args: ['-i'], env: { PS1: '$ ' } }],
  ])('without integration asks nothing at its prompt: %s', async (_name, shell) => {
    const manager = startManager();
    const { id } = await manager.create({ ...shell, integration: false });
    const told = await followQuestions(manager, id);
    await manager.wait(id, { input: true, ...LONG });
    await manager.wait(id, { idleMs: 700, ...LONG });
    await manager.write(id, { input: 'printf "Name? "; read x' });
    expect(await asked(manager, id)).toMatchObject({ kind: 'line', prompt: 'Name?' });
    expect(kinds(told)).toEqual([null, ['line', 'Name?']]);
  });

  it('says in an overview what it waits for', async () => {
    const manager = startManager();
    const { id } = await manager.create({ shell: '/bin/bash' });
    await manager.exec(id, { command: 'read -s -p "Secret? " x' });
    const { id: waiting } = await asked(manager, id);
    expect(await overviewOf(manager, id)).toMatchObject({ id, waiting: { id: waiting, kind: 'password' } });
  });
});
