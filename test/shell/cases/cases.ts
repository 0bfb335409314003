/** All cases that every shell is tested with, by subject. */
import { startEngine, stopEngines } from '../../engine/engine-under-test.js';
import { appliesTo } from '../matrix.js';
import { ShellAtWork } from '../shell-at-work.js';
import type { ShellCase, ShellName } from '../shell-at-work.js';
import { DAMAGE } from './damage.js';
import { ENDS } from './ends.js';
import { INTEGRITY } from './integrity.js';
import { OUTPUT } from './output.js';
import { PEOPLE } from './people.js';
import { PROMPTS } from './prompts.js';
import { RESULTS } from './results.js';
import { SETUPS } from './setups.js';
import { TEXTS } from './texts.js';
import { WAITS } from './waits.js';

export const SUBJECTS: Readonly<Record<string, readonly ShellCase[]>> = {
  'results and state': RESULTS,
  'texts of commands': TEXTS,
  'ends of commands': ENDS,
  'waiting for input': WAITS,
  output: OUTPUT,
  integrity: INTEGRITY,
  'people at the keyboard': PEOPLE,
  'set-ups': SETUPS,
  prompts: PROMPTS,
  damage: DAMAGE,
};

/** Declares the tests of one shell. */
export function describeShell(name: ShellName): void {
  afterAll(stopEngines);
  describe.each(Object.entries(SUBJECTS))(`${name}: %s`, (_subject, cases) => {
    const own = cases.filter((one) => appliesTo(one, name));
    it.each(own.map((one) => [one.name, one] as const))('%s', (_name, one) => tryCase(name, one));
  });
}

async function tryCase(name: ShellName, { start, run }: ShellCase): Promise<void> {
  const shell = new ShellAtWork(startEngine(), name);
  try {
    await (start === undefined ? shell.start() : start(shell));
    await run(shell);
  } finally {
    await shell.end();
  }
}
