/**
 * Tests a shell that answers later than its time limit because it was not scheduled: nothing of its command is lost.
 */
import { startEngine, stopEngines } from '../engine/engine-under-test.js';
import { expectEnd, RICH, ShellAtWork, underTest } from './shell-at-work.js';

/** Longer than the time limit of any shell that has nothing else to do. */
const LATE_MS = 4000;

let at: ShellAtWork;
afterEach(async () => {
  await at.end();
  await stopEngines();
});

describe.each(underTest(RICH))('a %s that is delayed', (name) => {
  beforeEach(async () => {
    at = new ShellAtWork(startEngine(), name);
    await at.start();
    await at.exec('true');
  });

  /** Runs a command in a shell that receives it late. */
  async function lateResult(command: string) {
    const pid = await at.pid();
    process.kill(pid, 'SIGSTOP');
    const result = at.exec(command);
    await at.manager.wait(at.id, { text: 'never', timeoutMs: LATE_MS });
    process.kill(pid, 'SIGCONT');
    return result;
  }

  it('runs a command that was requested meanwhile', async () => {
    expectEnd(await lateResult('echo late; false'), 1, 'late');
    expectEnd(await at.exec('echo next'), 0, 'next');
  });

  it('makes room for it on a half-typed line, and restores that', async () => {
    await at.prompt();
    await at.type('echo hal');
    await at.shows(/echo hal$/);
    expectEnd(await lateResult('echo late; false'), 1, 'late');
    await at.screenShows((lines) => lines.some((line) => /\S echo hal$/.test(line)) && lines.includes('late'));
    await at.type('f-way\r');
    await at.shows(/^half-way$/m);
  });
});
