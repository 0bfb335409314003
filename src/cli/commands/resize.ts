/** `tenacitty resize`: gives a terminal another size. */
import type { Call } from '../command.js';
import { usageError } from '../parse.js';
import { say } from '../stdout.js';
import { findTerminal, shortId } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';

const SIZE = /^(\d{1,5})x(\d{1,5})$/i;

export function resize({ operands: [given, size], settings }: Call): Promise<void> {
  const [, cols, rows] = SIZE.exec(size!) ?? [];
  if (cols === undefined) {
    throw usageError({ name: 'resize' }, `COLSxROWS: expected a size as 120x40, given ${JSON.stringify(size)}.`);
  }
  return withEngine(settings, async (manager) => {
    const { id } = await findTerminal(manager, given!);
    await manager.resize(id, { cols: Number(cols), rows: Number(rows) });
    say(`terminal ${shortId(id)} has ${Number(cols)} columns and ${Number(rows)} rows`);
  });
}
