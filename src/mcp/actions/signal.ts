/** SIGNAL: sends a signal to the foreground processes of a terminal, or to all its processes. */
import { SIGNALS } from '../../contract/terminal.js';
import { answer } from '../answer.js';
import type { Answer } from '../answer.js';
import { needed } from '../arguments.js';
import type { Call } from '../call.js';
import { nameOf } from '../workspace.js';

export async function signal({ workspace, args }: Call): Promise<Answer> {
  const name = needed(args, 'signal', `one of ${SIGNALS.join(', ')}`);
  const target = await workspace.target(args);
  const whom = args.all === true ? 'all' : 'foreground';
  await workspace.manager.signal(target.id, { signal: name, target: whom });
  const to = whom === 'all' ? 'all processes of the terminal' : 'the foreground processes';
  return answer(`${name} was sent to ${to}. WAIT or READ shows the effect.`, { ...nameOf(target), signal: name });
}
