/** From settings to the policy of a server, and the manager each of its doors is given. Loads nothing where there is none. */
import type { TerminalManager } from '../../contract/manager.js';
import type { EngineLog } from '../../contract/options.js';
import type { AskForApproval } from './command-policy.js';
import type { DescribedPolicy } from './create-command-policy.js';

/** The settings that count here. */
export interface PolicySettings {
  readonly commandPolicyFile: string | null;
  readonly engine: { readonly defaultShell: string };
}

/**
 * The policy that the settings name, or null.
 *
 * @param ask - Asks somebody who can allow a command. Default: nobody is there.
 * @throws {TerminalError} `INVALID_INPUT` for a policy that cannot be used: there is no server without it then.
 */
export async function openCommandPolicy(
  { commandPolicyFile, engine }: PolicySettings,
  ask?: AskForApproval,
): Promise<DescribedPolicy | null> {
  if (commandPolicyFile === null) return null;
  const { createCommandPolicy } = await import('./create-command-policy.js');
  const { loginShell } = await import('./policed-manager.js');
  const { readPolicyFile } = await import('./policy-file.js');
  const shells = [engine.defaultShell || loginShell()];
  return createCommandPolicy(readPolicyFile(commandPolicyFile), { ask, shells, name: 'TENACITTY_COMMAND_POLICY_FILE' });
}

/** What a door is given: the manager itself, where there is no policy. */
export async function managerFor(
  door: string,
  manager: TerminalManager,
  policy: DescribedPolicy | null,
  { engine }: PolicySettings,
  log?: EngineLog,
): Promise<TerminalManager> {
  if (policy === null) return manager;
  const { policed } = await import('./policed-manager.js');
  return policed(manager, policy, { door, defaultShell: engine.defaultShell, ...(log && { log }) });
}
