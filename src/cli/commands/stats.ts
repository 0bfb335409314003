/** `tenacitty stats`: numbers of one terminal, or of all together. */
import type { Call } from '../command.js';
import { FAILED, OK } from '../exit-code.js';
import { printable, print, printJson } from '../stdout.js';
import type { STATS_FLAGS } from '../table/read.js';
import { findTerminal } from '../terminal-id.js';
import { textTable } from '../text-table.js';
import { withEngine } from '../with-engine.js';

export function stats({ operands: [given], flags, settings }: Call<typeof STATS_FLAGS>): Promise<number> {
  return withEngine(settings, async (manager) => {
    const numbers =
      given === undefined ? await manager.summary() : await manager.stats((await findTerminal(manager, given)).id);
    await (flags.json ? printJson(numbers) : print(textTable(rowsOf(numbers, ''))));
    return 'isIncomplete' in numbers && numbers.isIncomplete ? FAILED : OK;
  });
}

/** A row for each number, named by the fields that lead to it. */
function rowsOf(value: object, path: string): string[][] {
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    if (Array.isArray(part)) return [[path + name, part.length === 0 ? 'none' : printable(part.join('; '))]];
    if (typeof part === 'object' && part !== null) return rowsOf(part, `${path}${name}.`);
    return [[path + name, part === null ? 'none' : printable(`${part as string | number | boolean}`)]];
  });
}
