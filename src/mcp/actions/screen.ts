/** SCREEN: what a person would see in a terminal now. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { answer } from '../answer.js';
import type { Call } from '../call.js';
import { screenText } from '../screen-text.js';
import { nameOf } from '../workspace.js';

export async function screen({ workspace, args }: Call): Promise<CallToolResult> {
  const target = await workspace.target(args);
  const shown = await workspace.manager.screen(target.id);
  const { cols, rows, cursor, title, alternate } = shown;
  return answer(screenText(shown), {
    ...nameOf(target),
    ...{ cols, rows, cursor: { row: cursor.y, col: cursor.x, visible: cursor.visible } },
    ...{ title: title || null, full_screen: alternate, completed: target.detail.status !== 'active' },
  });
}
