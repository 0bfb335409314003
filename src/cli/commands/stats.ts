/** `tenacitty stats`: prints the statistics of the selected terminals, or the totals across all terminals. */
import type { TerminalManager } from '../../contract/manager.js';
import { printable } from '../../printable.js';
import type { ParsedCall } from '../command.js';
import { roundedDuration } from '../../duration.js';
import { showEach } from '../each-terminal.js';
import { FAILED, OK } from '../exit-code.js';
import { isByLabel } from '../selection.js';
import { print, printJson } from '../stdout.js';
import type { STATS_FLAGS } from '../flags/read.js';
import { textTable } from '../text-table.js';
import { withEngine } from '../with-engine.js';

const MIB = 1 << 20;

export function stats(call: ParsedCall<typeof STATS_FLAGS>): Promise<number> {
  return withEngine(call.settings, async (manager) => {
    if (call.operands.length === 0 && !isByLabel(call)) return ofAll(manager, call.flags.json);
    await showEach(manager, call, {
      asJson: (id) => manager.stats(id),
      asText: async (id) => print(tableOf(await manager.stats(id))),
    });
    return OK;
  });
}

async function ofAll(manager: TerminalManager, isJson: boolean): Promise<number> {
  const numbers = await manager.summary();
  const { isIncomplete, ...shownNumbers } = numbers;
  await (isJson ? printJson(numbers) : print(tableOf(isIncomplete ? numbers : shownNumbers)));
  return isIncomplete ? FAILED : OK;
}

function tableOf(numbers: object): string {
  return textTable(rowsOf(numbers, ''));
}

/** Shows a number with its unit, which its name states, or with separators between thousands. */
function shown(name: string, value: string | number | boolean): string {
  if (typeof value !== 'number') return printable(String(value));
  if (/bytes/i.test(name))
    return value < MIB ? `${value.toLocaleString('en')} bytes` : `${(value / MIB).toFixed(1)} MiB`;
  return /Ms$/.test(name) ? roundedDuration(value) : value.toLocaleString('en');
}

/** Returns one row for each value, named after the path of fields that leads to it. */
function rowsOf(value: object, path: string): string[][] {
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    if (Array.isArray(part)) return [[path + name, part.length === 0 ? 'none' : printable(part.join('; '))]];
    if (typeof part === 'object' && part !== null) return rowsOf(part, `${path}${name}.`);
    return [[path + name, part === null ? 'none' : shown(name, part as string | number | boolean)]];
  });
}
