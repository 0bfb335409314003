/** Acts on several terminals at the same time, or shows them one after another. */
import type { TerminalManager } from '../contract/manager.js';
import type { TerminalSummary } from '../contract/terminal.js';
import { TerminalError } from '../errors.js';
import { exitCodeOfError, OK } from './exit-code.js';
import { withNextSteps } from './next-steps.js';
import { allSelected, isByLabel } from './selection.js';
import type { Selection } from './selection.js';
import { print, printJson, printJsonArray, printMessage } from './stdout.js';
import { shortIds } from './terminal-id.js';
import type { CommandFormatter } from './command-formatter.js';

/** A terminal, or the error for one that cannot be found, which is reported like a failed action. */
export type SelectedTerminal = TerminalSummary | Error;

/**
 * Acts on each terminal; a failure does not stop the rest. Returns the exit code of the first failure.
 *
 * @param typed - Adds suggestions to the errors of actions that a terminal can refuse.
 */
export async function actOnEach(
  chosen: readonly SelectedTerminal[],
  act: (terminal: TerminalSummary) => Promise<number | void>,
  formatCommand?: CommandFormatter,
): Promise<number> {
  const codes = await Promise.all(
    chosen.map(async (terminal) => {
      try {
        if (terminal instanceof Error) throw terminal;
        return (await act(terminal)) ?? OK;
      } catch (error) {
        if (!(error instanceof TerminalError)) throw error;
        printMessage((formatCommand === undefined ? error : withNextSteps(error, formatCommand)).message);
        return exitCodeOfError(error);
      }
    }),
  );
  return codes.find((code) => code !== OK) ?? OK;
}

/** Shows something about a terminal, as JSON or as text. */
export interface TerminalPrinter {
  readonly asJson: (id: string) => Promise<object>;
  readonly asText: (id: string) => Promise<void>;
}

/**
 * Shows each terminal. For several terminals, prints each text below the terminal's id. JSON is an array whenever the
 * command can select several terminals.
 */
export async function showEach(
  manager: TerminalManager,
  call: Selection & { readonly flags: { readonly json: boolean } },
  { asJson, asText }: TerminalPrinter,
): Promise<void> {
  const ids = (await allSelected(manager, call)).map(({ id }) => id);
  if (!call.flags.json) return showTexts(ids, asText);
  if (!isByLabel(call)) return printJson(await asJson(ids[0]!));
  await printJsonArray(ids, async (id) => ({ terminalId: id, ...(await asJson(id)) }));
}

async function showTexts(ids: readonly string[], asText: TerminalPrinter['asText']): Promise<void> {
  const short = shortIds(ids);
  for (const [index, id] of ids.entries()) {
    if (ids.length > 1) await print(`${index > 0 ? '\n' : ''}==> ${short.get(id)} <==\n`);
    await asText(id);
  }
}
