/**
 * Applies something to several terminals: acts on all at the same time, or shows one after the other. Independent of
 * any particular command.
 */
import type { TerminalManager } from '../contract/manager.js';
import type { TerminalSummary } from '../contract/terminal.js';
import { TerminalError } from '../errors.js';
import { exitCodeOfError, OK } from './exit-code.js';
import { withNextSteps } from './next-steps.js';
import { allSelected, isByLabel } from './selection.js';
import type { Selecting } from './selection.js';
import { print, printJson, printJsonArray, say } from './stdout.js';
import { shortIds } from './terminal-id.js';
import type { Typed } from './typed.js';

/** An error represents a terminal that cannot be found; it is reported like a failed action. */
export type Chosen = TerminalSummary | Error;

/**
 * Acts on each; a failure does not stop the others. Returns the exit code of the first failure.
 *
 * @param typed - For actions that a terminal refuses after its program has ended.
 */
export async function actOnEach(
  chosen: readonly Chosen[],
  act: (terminal: TerminalSummary) => Promise<number | void>,
  typed?: Typed,
): Promise<number> {
  const codes = await Promise.all(
    chosen.map(async (terminal) => {
      try {
        if (terminal instanceof Error) throw terminal;
        return (await act(terminal)) ?? OK;
      } catch (error) {
        if (!(error instanceof TerminalError)) throw error;
        say((typed === undefined ? error : withNextSteps(error, typed)).message);
        return exitCodeOfError(error);
      }
    }),
  );
  return codes.find((code) => code !== OK) ?? OK;
}

/** How to show something about a terminal. */
export interface Showing {
  readonly asJson: (id: string) => Promise<object>;
  readonly asText: (id: string) => Promise<void>;
}

/** For several terminals, text is printed below each id. JSON is an array wherever several terminals are possible. */
export async function showEach(
  manager: TerminalManager,
  call: Selecting & { readonly flags: { readonly json: boolean } },
  { asJson, asText }: Showing,
): Promise<void> {
  const ids = (await allSelected(manager, call)).map(({ id }) => id);
  if (!call.flags.json) return showTexts(ids, asText);
  if (!isByLabel(call)) return printJson(await asJson(ids[0]!));
  await printJsonArray(ids, async (id) => ({ terminalId: id, ...(await asJson(id)) }));
}

async function showTexts(ids: readonly string[], asText: Showing['asText']): Promise<void> {
  const short = shortIds(ids);
  for (const [index, id] of ids.entries()) {
    if (ids.length > 1) await print(`${index > 0 ? '\n' : ''}==> ${short.get(id)} <==\n`);
    await asText(id);
  }
}
