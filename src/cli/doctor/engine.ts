/** Checks whether the engine opens, and reports the terminals that it holds. */
import type { Options } from '../../config.js';
import { openEngine } from '../../engine.js';
import { commandFormatter } from '../command-formatter.js';
import { note, ok, reasonOf, wrong } from './finding.js';
import type { Finding } from './finding.js';

const WHAT = 'terminals';

export async function checkEngine(options: Options): Promise<Finding> {
  try {
    const manager = await openEngine(options);
    try {
      const { problems, activeTerminals, exitedTerminals, lostTerminals } = await manager.summary();
      if (problems.length > 0) return wrong(WHAT, problems.join('; '));
      const says = `${activeTerminals} running, ${exitedTerminals} ended, ${lostTerminals} lost`;
      return lostTerminals > 0
        ? note(WHAT, `${says} (their host process was killed; see ${commandFormatter(options)('ls')})`)
        : ok(WHAT, says);
    } finally {
      await manager.close();
    }
  } catch (error) {
    return wrong(WHAT, reasonOf(error));
  }
}
