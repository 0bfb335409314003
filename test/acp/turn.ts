/** Runs `tenacitty acp run` with the scripted agent for one turn. */
import type { RunningCommand, Place } from '../cli/place.js';
import { AGENT } from './scripted.js';

export interface TurnOptions {
  readonly flags?: readonly string[];
  /** Arguments that make the agent misbehave. */
  readonly oddities?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a turn in which the agent takes these steps. */
export function startTurn(
  place: Place,
  steps: unknown,
  { flags = [], oddities = [], env = {} }: TurnOptions = {},
): RunningCommand {
  const prompt = typeof steps === 'string' ? steps : JSON.stringify(steps);
  return place.start(['acp', 'run', '--prompt', prompt, ...flags, '--', ...AGENT, ...oddities], { env });
}
