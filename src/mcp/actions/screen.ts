/** SCREEN: returns what a person would now see in a terminal, as text and, on request, as a picture. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { answer } from '../answer.js';
import type { ToolAnswer } from '../answer.js';
import type { ActionCall } from '../call.js';
import { isFree } from '../outcome.js';
import { screenText } from '../screen-text.js';
import { nameOf } from '../workspace.js';

export async function screen({ workspace, args }: ActionCall): Promise<ToolAnswer> {
  const target = await workspace.target(args);
  const { manager } = workspace;
  const [shown, detail] = await Promise.all([manager.screen(target.id), manager.get(target.id)]);
  const completed = detail.status !== 'active' || (await isFree(manager, detail));
  const { cols, rows, cursor, title, alternate } = shown;
  const facts = {
    ...{ ...nameOf(target), cols, rows, cursor: { row: cursor.y, col: cursor.x, visible: cursor.visible } },
    ...{ title: title || null, full_screen: alternate, completed },
  };
  const pictures = args.image === true ? [await pictureOf(workspace, target.id)] : [];
  return answer(screenText(shown), facts, ...pictures);
}

type Block = CallToolResult['content'][number];

async function pictureOf({ manager }: ActionCall['workspace'], id: string): Promise<Block> {
  // Imported on demand, because the font takes up memory.
  const { pictureInTurn } = await import('../../picture/pictures-in-turn.js');
  const picture = await pictureInTurn(() => manager.snapshot(id));
  return { type: 'image', data: picture.toString('base64'), mimeType: 'image/png' };
}
