/** `tenacitty search`: prints the lines of a terminal's history that match, in the format of grep. */
import type { TerminalManager } from '../../contract/manager.js';
import { contextOf } from '../../calls/search-context.js';
import type { SearchMatch, SearchOutput } from '../../contract/search.js';
import type { ParsedCall } from '../command.js';
import { printableJson } from '../../printable.js';
import { FAILED, OK } from '../exit-code.js';
import { allSelected, isByLabel, wordsAfterId } from '../selection.js';
import { print, printMessage } from '../stdout.js';
import type { SEARCH_FLAGS } from '../flags/read.js';
import { shortIds } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';

type Flags = ParsedCall<typeof SEARCH_FLAGS>['flags'];

/** Matches per request. */
const PAGE_MATCHES = 1000;

export function search(call: ParsedCall<typeof SEARCH_FLAGS>): Promise<number> {
  const { flags, settings } = call;
  const request = requestOf(wordsAfterId(call)[0]!, flags);
  return withEngine(settings, async (manager) => {
    const ids = (await allSelected(manager, call)).map(({ id }) => id);
    const found = isByLabel(call)
      ? await showOfEach(manager, ids, request, flags)
      : await showAll(manager, ids[0]!, request, flags);
    return found > 0 ? OK : FAILED;
  });
}

/**
 * Shows the matches in several terminals, one terminal after another, with the terminal before each line, as grep does
 * with file names.
 */
async function showOfEach(
  manager: TerminalManager,
  ids: readonly string[],
  request: SearchOutput,
  flags: Flags,
): Promise<number> {
  const short = shortIds(ids);
  let found = 0;
  for (const id of ids) found += await showAll(manager, id, request, flags, short.get(id));
  return found;
}

function requestOf(what: string, { regex, ignoreCase, context, from, to, command }: Flags): SearchOutput {
  return {
    ...(regex ? { regex: what } : { text: what }),
    ...{ ignoreCase, fromLine: from, toLine: to, commandId: command, contextLines: context },
  };
}

/**
 * Prints page by page. Resolves to the number of matches.
 *
 * @param name - Printed before each line to identify the terminal, if the command can select several.
 */
async function showAll(
  manager: TerminalManager,
  id: string,
  request: SearchOutput,
  flags: Flags,
  name?: string,
): Promise<number> {
  const { json, max = Infinity } = flags;
  const lines = new ShownLines(name);
  const whose = name === undefined ? {} : { terminalId: id };
  let found = 0;
  for (let fromLine = request.fromLine, hasMore = true; hasMore && found < max;) {
    const maxMatches = Math.min(PAGE_MATCHES, max - found);
    const page = await manager.search(id, { ...request, fromLine, maxMatches });
    const { matches, droppedLines, nextFromLine } = page;
    if (droppedLines > 0) printMessage(`${droppedLines} lines are no longer held`);
    const text = json
      ? matches.map((match) => `${printableJson({ ...whose, ...match })}\n`).join('')
      : lines.textOf(matches);
    if (text !== '') await print(text);
    found += matches.length;
    ({ hasMore } = page);
    fromLine = nextFromLine;
  }
  return found;
}

/**
 * Formats numbered lines, each only once: context lines with a dash, and a separator between groups that are not
 * adjacent.
 */
class ShownLines {
  /** The number of the line after the last one shown. */
  #next = 0;
  #hasShown = false;

  constructor(readonly name: string | undefined) {}

  textOf(matches: readonly SearchMatch[]): string {
    const found = new Map(matches.map(({ line, text }) => [line, text]));
    const around = new Map(matches.flatMap(contextOf));
    const hasContext = around.size > 0;
    return [...new Map([...around, ...found])]
      .sort(([a], [b]) => a - b)
      .map(([line, text]) => this.#show(line, text, found.has(line), hasContext))
      .join('');
  }

  #show(line: number, text: string, isFound: boolean, hasContext: boolean): string {
    if (line < this.#next && !isFound) return '';
    const isApart = hasContext && this.#hasShown && line > this.#next;
    this.#next = line + 1;
    this.#hasShown = true;
    const mark = isFound ? ':' : '-';
    const whose = this.name === undefined ? '' : `${this.name}${mark}`;
    return `${isApart ? '--\n' : ''}${whose}${line}${mark}${text}\n`;
  }
}
