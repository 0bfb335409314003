/** Selects the action of a command from its first word and checks that only flags of that action were given. */
import { didYouMean } from '../nearest.js';
import type { FlagTable, FlagValues } from './flag.js';
import { flagName } from './flag.js';
import { usageError } from './parse.js';

type ActionFlags = Readonly<Record<string, FlagTable>>;

/** Returns the action. @throws `INVALID_INPUT` for a word that is not one of the actions. */
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
 * Rejects flags that belong to other actions. A flag that is silently ignored would look as if it had worked.
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
