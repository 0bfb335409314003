/** RESIZE: changes the size of a screen. */
import { answer } from '../answer.js';
import type { ToolAnswer } from '../answer.js';
import { requiredArgument } from '../arguments.js';
import type { ActionCall } from '../call.js';
import { nameOf } from '../workspace.js';

export async function resize({ workspace, args }: ActionCall): Promise<ToolAnswer> {
  const size = {
    cols: requiredArgument(args, 'cols', 'the number of columns'),
    rows: requiredArgument(args, 'rows', 'the number of rows'),
  };
  const target = await workspace.target(args);
  await workspace.manager.resize(target.id, size);
  return answer(`The screen now has ${size.cols} columns and ${size.rows} rows.`, { ...nameOf(target), ...size });
}
