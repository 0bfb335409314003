/**
 * Opens the policy that the settings name, and creates the manager for each interface. Loads no policy code if there is
 * no policy.
 */
import type { TerminalManager } from '../../contract/manager.js';
import type { EngineLog } from '../../contract/options.js';
import { loginShell } from '../../user-name.js';
import type { AskForApproval } from './command-policy.js';
import type { DescribedPolicy } from './create-command-policy.js';

/** The settings that concern the policy. */
export interface PolicySettings {
  readonly commandPolicyFile: string | null;
  readonly engine: { readonly defaultShell: string };
}

/**
 * Returns the policy that the settings name; null if they name none.
 *
 * @param ask - Requests approval from a person. Default: not available.
 * @throws {TerminalError} `INVALID_INPUT` if the policy cannot be used. The server then does not start.
 */
export async function openCommandPolicy(
  { commandPolicyFile, engine }: PolicySettings,
  ask?: AskForApproval,
): Promise<DescribedPolicy | null> {
  if (commandPolicyFile === null) return null;
  const { createCommandPolicy } = await import('./create-command-policy.js');
  const { readPolicyFile } = await import('./policy-file.js');
  const shells = [engine.defaultShell || (loginShell() ?? '/bin/sh')];
  return createCommandPolicy(readPolicyFile(commandPolicyFile), { ask, shells, name: 'TENACITTY_COMMAND_POLICY_FILE' });
}

/** Returns the manager for an interface: the given one, wrapped with the policy if there is one. */
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
