/** SIGNAL: sends a signal to the foreground processes of a terminal, or to all of its processes. */
import { SIGNALS } from '../../contract/terminal.js';
import { answer } from '../answer.js';
import type { ToolAnswer } from '../answer.js';
import { requiredArgument } from '../arguments.js';
import type { ActionCall } from '../call.js';
import { nameOf } from '../workspace.js';

export async function signal({ workspace, args }: ActionCall): Promise<ToolAnswer> {
  const name = requiredArgument(args, 'signal', `one of ${SIGNALS.join(', ')}`);
  const target = await workspace.target(args);
  const scope = args.all === true ? 'all' : 'foreground';
  await workspace.manager.signal(target.id, { signal: name, target: scope });
  const to = scope === 'all' ? 'all processes of the terminal' : 'the foreground processes';
  return answer(`${name} was sent to ${to}. WAIT or READ shows the effect.`, { ...nameOf(target), signal: name });
}
