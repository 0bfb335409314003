/** `tenacitty acp`: finds what is asked for. Loads it and nothing else. */
import { didYouMean } from '../../nearest.js';
import type { Call, Run } from '../command.js';
import { flagName } from '../flag.js';
import { usageError } from '../parse.js';
import { ACP_ACTIONS, ACP_FLAGS } from '../table/acp.js';
import type { AcpAction } from '../table/acp.js';

type AcpCall = Call<typeof ACP_FLAGS>;

const LOADERS: Readonly<Record<AcpAction, () => Promise<Run<typeof ACP_FLAGS>>>> = {
  run: async () => (await import('./acp-run.js')).acpRun,
  proxy: async () => (await import('./acp-proxy.js')).acpProxy,
  check: async () => (await import('./acp-check.js')).acpCheck,
};

export async function acp(call: AcpCall): Promise<number | void> {
  const action = actionOf(call);
  refuseOthersFlags(action, call);
  return (await LOADERS[action]())(call);
}

function actionOf({ operands: [given = ''] }: AcpCall): AcpAction {
  const names = Object.keys(ACP_ACTIONS) as AcpAction[];
  const action = names.find((name) => name === given);
  if (action !== undefined) return action;
  throw usageError({ name: 'acp' }, `unknown acp command ${given}.${didYouMean(given, names)}`);
}

/** Whoever is not told that a flag has no effect believes that it had. */
function refuseOthersFlags(action: AcpAction, { flags }: AcpCall): void {
  const keys = Object.keys(ACP_FLAGS) as (keyof typeof ACP_FLAGS)[];
  const wrong = keys.find((key) => flags[key] !== ACP_FLAGS[key].initial && !(key in ACP_ACTIONS[action]));
  if (wrong !== undefined) throw usageError({ name: 'acp' }, `${flagName(wrong)} is not for acp ${action}.`);
}
