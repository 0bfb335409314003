/** The environment of an agent that is started beside its terminals. Pure. */
import type { Options } from './options.js';
import { isSettingName } from './settings.js';

/** What was given, without settings, some of which are secrets, but with where terminals are held. */
export function agentEnvironment(given: NodeJS.ProcessEnv, { engine }: Options): NodeJS.ProcessEnv {
  const kept = Object.entries(given).filter(([name]) => !isSettingName(name));
  return { ...Object.fromEntries(kept), ...engine.placeEnv };
}
