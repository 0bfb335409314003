/** The environment of an agent that is started alongside its terminals. Pure. */
import type { Options } from './options.js';
import { isSettingName } from './settings.js';

/**
 * Returns the given environment without settings, some of which are secrets, but with the location of the terminals.
 */
export function agentEnvironment(given: NodeJS.ProcessEnv, { engine }: Options): NodeJS.ProcessEnv {
  const kept = Object.entries(given).filter(([name]) => !isSettingName(name));
  return { ...Object.fromEntries(kept), ...engine.placeEnv };
}
