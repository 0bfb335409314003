/** RESIZE: changes the size of a screen. */
import { answer } from '../answer.js';
import type { Answer } from '../answer.js';
import { needed } from '../arguments.js';
import type { Call } from '../call.js';
import { nameOf } from '../workspace.js';

export async function resize({ workspace, args }: Call): Promise<Answer> {
  const size = {
    cols: needed(args, 'cols', 'the number of columns'),
    rows: needed(args, 'rows', 'the number of rows'),
  };
  const target = await workspace.target(args);
  await workspace.manager.resize(target.id, size);
  return answer(`The screen now has ${size.cols} columns and ${size.rows} rows.`, { ...nameOf(target), ...size });
}
