/** `tenacitty acp`: runs the requested action. Loads only that action. */
import { actionNamed, refuseFlagsOfOtherActions } from '../../action.js';
import type { ParsedCall } from '../../command.js';
import { ACP_ACTIONS, ACP_FLAGS } from '../../flags/acp.js';
import type { AcpAction } from '../../flags/acp.js';

type AcpCall = ParsedCall<typeof ACP_FLAGS>;

const LOADERS: Readonly<Record<AcpAction, () => Promise<(call: AcpCall) => Promise<number | void>>>> = {
  run: async () => (await import('./acp-run.js')).acpRun,
  proxy: async () => (await import('./acp-proxy.js')).acpProxy,
};

export async function acp(call: AcpCall): Promise<number | void> {
  const action = actionNamed('acp', ACP_ACTIONS, call.operands[0]);
  refuseFlagsOfOtherActions(`acp ${action}`, ACP_ACTIONS[action], ACP_FLAGS, call.flags);
  return (await LOADERS[action]())(call);
}
