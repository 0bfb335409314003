/** `tenacitty resize`: changes a terminal's size. */
import type { ParsedCall } from '../command.js';
import { actOnEach } from '../each-terminal.js';
import { usageError } from '../parse.js';
import { allSelected, wordsAfterId } from '../selection.js';
import { printMessage } from '../stdout.js';
import type { RESIZE_FLAGS } from '../flags/reach.js';
import { shortId } from '../terminal-id.js';
import { commandFormatter } from '../command-formatter.js';
import { withEngine } from '../with-engine.js';

const SIZE = /^(\d{1,5})x(\d{1,5})$/i;

export function resize(call: ParsedCall<typeof RESIZE_FLAGS>): Promise<number> {
  const [size] = wordsAfterId(call);
  const [, cols, rows] = SIZE.exec(size!) ?? [];
  if (cols === undefined) {
    throw usageError({ name: 'resize' }, `COLSxROWS: expected a size such as 120x40, given ${JSON.stringify(size)}.`);
  }
  return withEngine(call.settings, async (manager, options) => {
    const act = async ({ id }: { id: string }) => {
      await manager.resize(id, { cols: Number(cols), rows: Number(rows) });
      printMessage(`terminal ${shortId(id)} has ${Number(cols)} columns and ${Number(rows)} rows`);
    };
    return actOnEach(await allSelected(manager, call, 'running'), act, commandFormatter(options));
  });
}
