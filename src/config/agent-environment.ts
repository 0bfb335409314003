/** Builds the environment of an agent that tenacitty starts. Pure. */
import type { Options } from './options.js';
import { isSettingName } from './settings.js';

/**
 * Returns the given environment with the location of the terminals, but without the settings, some of which are
 * secrets.
 */
export function agentEnvironment(given: NodeJS.ProcessEnv, { engine }: Options): NodeJS.ProcessEnv {
  const kept = Object.entries(given).filter(([name]) => !isSettingName(name));
  return { ...Object.fromEntries(kept), ...engine.placeEnv };
}
