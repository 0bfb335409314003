/** Selects the action of a command from its first word and checks that only flags of that action were given. */
import { didYouMean } from '../nearest.js';
import type { FlagTable, FlagValues } from './flag.js';
import { flagName } from './flag.js';
import { usageError } from './parse.js';

type ActionFlags = Readonly<Record<string, FlagTable>>;

/** Returns the action that a word names. @throws `INVALID_INPUT` if there is no such action. */
export function actionNamed<Actions extends ActionFlags>(
  command: string,
  actions: Actions,
  given = '',
): keyof Actions & string {
  if (Object.hasOwn(actions, given)) return given;
  const hint = didYouMean(given, Object.keys(actions));
  throw usageError({ name: command }, `Unknown ${command} command ${given}.${hint}`);
}

/**
 * Rejects flags that belong to other actions, because a flag that is silently ignored would seem to have worked.
 *
 * @param all - The flags of all actions.
 */
export function refuseFlagsOfOtherActions<All extends FlagTable>(
  name: string,
  own: FlagTable,
  all: All,
  given: FlagValues<All>,
): void {
  const wrong = Object.keys(all).find((key) => given[key] !== all[key]!.initial && !(key in own));
  if (wrong !== undefined) throw usageError({ name }, `${flagName(wrong)} does not apply to ${name}.`);
}
