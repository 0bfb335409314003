/** Returns a policy's verdict on a request to run something in a directory. */
import type { CommandRequest } from '../../src/access/policy/command-policy.js';
import { createCommandPolicy } from '../../src/access/policy/create-command-policy.js';
import type { PolicyOptions } from '../../src/access/policy/create-command-policy.js';
import type { CommandPolicyDescription } from '../../src/access/policy/policy-description.js';
import { TerminalError } from '../../src/errors.js';

export const PATH = '/usr/bin:/bin';

export function outcomesIn(directory: string) {
  function request(command: string, args: readonly string[] | null = null, more: Partial<CommandRequest> = {}) {
    return { door: 'library', command, args, cwd: directory, env: {}, ...more };
  }

  /** Returns `allowed`, or the rule that denies. */
  async function outcome(description: CommandPolicyDescription, asked: CommandRequest, options: PolicyOptions = {}) {
    try {
      await createCommandPolicy(description, { path: PATH, ...options }).permit(asked);
      return 'allowed';
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
      return error.code === 'COMMAND_DENIED' ? error.details['rule'] : error.code;
    }
  }

  const line = (description: CommandPolicyDescription, text: string, more: Partial<CommandRequest> = {}) =>
    outcome(description, request(text, null, { shell: '/bin/bash', ...more }));
  return { request, outcome, line };
}
