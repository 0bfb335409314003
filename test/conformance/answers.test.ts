/** Tests answers to questions of programs: what is typed, and that nothing is typed if the question is another one. */
import { LocalTerminalManager } from '../../src/terminal/terminal-manager.js';
import { MANAGERS, readUntilText, run, stopEngines } from '../engine/engine-under-test.js';
import { runs } from '../deep.js';
import { asked, untilAnswered } from './asked.js';
import { error } from './error.js';

afterEach(stopEngines);

const RACES = runs({ normal: 2, deep: 10 });
const ANSWERS = 20;

describe.each(MANAGERS)('an answer %s', (_where, startManager) => {
  it('is a line with Enter, or exactly the keys, as the question asks', async () => {
    const manager = startManager();
    const script =
      'read -p "A? " a; read -s -p "B? " b; echo; read -n 1 -p "C? " c; read d; read e; echo "[$a|$b|$c|$d|$e]"';
    const { id } = await run(manager, 'bash', '-c', script);
    let before: string | undefined;
    const answers = [{ text: 'one' }, { text: 'two\n' }, { text: 'y' }, { text: 'th\nree' }];
    for (const answer of answers) {
      const { id: waiting } = await asked(manager, id, before);
      await manager.answer(id, { waiting, ...answer });
      before = waiting;
    }
    expect(await readUntilText(manager, id, ']')).toContain('[one|two|y|th|ree]');
  });

  it('may consist of named keys', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'bash', '-c', 'read -p "A? " a; exec sleep 1000');
    const { id: waiting } = await asked(manager, id);
    await manager.answer(id, { waiting, keys: ['ctrl-d'] });
    await untilAnswered(manager, id);
    const { id: key } = await run(manager, 'bash', '-c', 'read -s -n 1 x; echo "[$x]"');
    const question = await asked(manager, key);
    expect(question.kind).toBe('key');
    await expect(manager.answer(key, { waiting: question.id, text: '' })).rejects.toEqual(error('INVALID_INPUT'));
    await manager.answer(key, { waiting: question.id, keys: ['y'] });
    await readUntilText(manager, key, '[y]');
  });

  it('is refused if it is for another question, or for none, and nothing is typed', async () => {
    const manager = startManager();
    const { id } = await run(
      manager,
      'bash',
      '-c',
      'read -p "A? " a; read -p "B? " b; echo "[$a|$b]"; exec sleep 1000',
    );
    const first = await asked(manager, id);
    const unknown = manager.answer(id, { waiting: 'another', text: 'to be hidden' });
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_WAITING', details: { waiting: first } });
    await manager.answer(id, { waiting: first.id, text: 'a' });
    const second = await asked(manager, id, first.id);
    const late = manager.answer(id, { waiting: first.id, text: 'to be hidden' });
    await expect(late).rejects.toMatchObject({ code: 'NOT_WAITING', details: { waiting: second } });
    await expect(late).rejects.not.toMatchObject({ message: expect.stringContaining('hidden') });
    await manager.answer(id, { waiting: second.id, text: 'b' });
    await readUntilText(manager, id, '[a|b]');
    const none = manager.answer(id, { waiting: second.id, text: 'to be hidden' });
    await expect(none).rejects.toMatchObject({ code: 'NOT_WAITING', details: { waiting: null } });
    expect(await manager.get(id)).toMatchObject({ inputCount: 2 });
  });

  it('is refused if the program has ended', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'bash', '-c', 'read -p "A? " a');
    const { id: waiting } = await asked(manager, id);
    await manager.answer(id, { waiting, text: 'a' });
    await manager.wait(id, { timeoutMs: 60_000 });
    await expect(manager.answer(id, { waiting, text: 'a' })).rejects.toEqual(error('TERMINAL_INACTIVE'));
    await expect(manager.answer('none', { waiting, text: 'a' })).rejects.toEqual(error('TERMINAL_NOT_FOUND'));
  });

  it.each(Array.from({ length: RACES }, (_, i) => [i]))(
    `is typed once, if ${ANSWERS} callers give one at the same time (%i)`,
    async () => {
      const manager = startManager();
      const { id } = await run(manager, 'bash', '-c', 'read -p "Which? " x; echo "got $x"; read -p "Next? " y');
      const first = await asked(manager, id);
      const answers = Array.from({ length: ANSWERS }, (_, n) =>
        manager.answer(id, { waiting: first.id, text: `answer ${n}` }).then(
          () => null,
          (refused: unknown) => refused as { code: string; details: object },
        ),
      );
      const results = await Promise.all(answers);
      const typed = results.indexOf(null);
      expect(results.filter((one) => one === null)).toHaveLength(1);
      for (const [n, refused] of results.entries()) {
        if (n !== typed) expect(refused).toMatchObject({ code: 'NOT_WAITING' });
        expect(JSON.stringify(refused?.details ?? {})).not.toContain('answer');
      }
      const next = await asked(manager, id, first.id);
      expect(await readUntilText(manager, id, 'Next?')).toContain(`got answer ${typed}\n`);
      expect(next.prompt).toBe('Next?');
      expect(await manager.get(id)).toMatchObject({ inputCount: 1 });
    },
  );

  it('is possible while another caller holds the terminal', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'bash', '-c', 'read -p "A? " a; echo "[$a]"');
    const { id: waiting } = await asked(manager, id);
    await manager.control(id, { action: 'take', name: 'Ada' });
    await expect(manager.write(id, { input: 'b' })).rejects.toEqual(error('TERMINAL_HELD'));
    await manager.answer(id, { waiting, text: 'a' });
    await readUntilText(manager, id, '[a]');
  });

  it('is never repeated in an error', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'cat');
    const wrong = [{ text: 'hidden', keys: ['x'] }, { text: 4711 as unknown as string }, { text: ['hidden'] as never }];
    for (const answer of wrong) {
      const refused = await manager.answer(id, { waiting: 'x', ...answer }).catch((thrown: unknown) => thrown);
      expect(refused).toEqual(error('INVALID_INPUT'));
      const { message, details } = refused as { message: string; details: unknown };
      expect(`${message} ${JSON.stringify(details)}`).not.toMatch(/hidden|4711/);
    }
  });
});

it('an answer is not logged, and not kept with the terminal', async () => {
  const lines: string[] = [];
  const log = (...line: unknown[]): void => void lines.push(JSON.stringify(line));
  const manager = new LocalTerminalManager({ log });
  try {
    const { id } = await run(manager, 'bash', '-c', 'read -s -p "Secret? " x; echo thanks; exec sleep 1000');
    const { id: waiting } = await asked(manager, id);
    await manager.answer(id, { waiting, text: 'hunter2' });
    await readUntilText(manager, id, 'thanks');
    await expect(manager.answer(id, { waiting, text: 'hunter2' })).rejects.toEqual(error('NOT_WAITING'));
    const known = [await manager.get(id), await manager.overview(), await manager.commands(id)];
    expect(JSON.stringify([lines, known])).not.toContain('hunter2');
    expect(lines.join()).toContain('Input sent');
  } finally {
    await manager.shutdown(0);
  }
});
