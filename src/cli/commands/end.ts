/** `tenacitty kill` and `tenacitty rm`: ends programs, forgets terminals. */
import type { TerminalManager } from '../../contract/manager.js';
import type { TerminalSummary } from '../../contract/terminal.js';
import { releaseHosts } from '../../engine.js';
import { TerminalError } from '../../errors.js';
import type { Call } from '../command.js';
import { exitCodeOfError, OK } from '../exit-code.js';
import { usageError } from '../parse.js';
import { tellProblems } from '../problems.js';
import { say } from '../stdout.js';
import type { KILL_FLAGS, REMOVE_FLAGS } from '../table/reach.js';
import { pickTerminal, shortId } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';

type Act = (terminal: TerminalSummary) => Promise<void>;
type Choose = (terminals: readonly TerminalSummary[]) => readonly (TerminalSummary | Error)[];

export function kill({ operands, flags, settings }: Call<typeof KILL_FLAGS>): Promise<number> {
  const choose = chooser('kill', operands, flags.all && '--all', ({ status }) => status === 'active');
  const request = { signal: flags.signal, ...(flags.grace === undefined ? {} : { graceMs: flags.grace }) };
  return withEngine(settings, async (manager, options) => {
    const code = await actOnEach(manager, choose(await manager.list()), 'runs', async ({ id, status }) => {
      await manager.kill(id, request);
      say(`terminal ${shortId(id)} ${status === 'active' ? 'is ended' : 'had ended already'}`);
    });
    if (flags.all) await releaseHosts(options);
    return code;
  });
}

export function remove({ operands, flags, settings }: Call<typeof REMOVE_FLAGS>): Promise<number> {
  const choose = chooser('rm', operands, flags.ended && '--ended', ({ status }) => status !== 'active');
  return withEngine(settings, async (manager) =>
    actOnEach(manager, choose(await manager.list()), 'has ended', async ({ id }) => {
      await manager.remove(id);
      say(`terminal ${shortId(id)} is removed`);
    }),
  );
}

/** Which terminals are meant: those named, or all of a kind. Never both, never neither. */
function chooser(
  name: string,
  ids: readonly string[],
  allFlag: string | false,
  isOfKind: (terminal: TerminalSummary) => boolean,
): Choose {
  if (allFlag && ids.length > 0) throw usageError({ name }, `Give either ids or ${allFlag}.`);
  if (!allFlag && ids.length === 0) throw usageError({ name }, 'ID is missing.');
  if (allFlag) return (terminals) => terminals.filter(isOfKind);
  return (terminals) => [...new Set(ids.map((id) => pickOrError(terminals, id)))];
}

/** A mistyped id is told, and does not keep the others from being acted on. */
function pickOrError(terminals: readonly TerminalSummary[], id: string): TerminalSummary | Error {
  try {
    return pickTerminal(terminals, id);
  } catch (error) {
    return error as Error;
  }
}

/** All at once; what fails is told, and what was out of reach. Answers with the exit code of the first failure. */
async function actOnEach(
  manager: TerminalManager,
  chosen: readonly (TerminalSummary | Error)[],
  kind: string,
  act: Act,
): Promise<number> {
  const reach = await tellProblems(manager);
  if (chosen.length === 0 && reach === OK) say(`there is no terminal that ${kind}`);
  const codes = await Promise.all(
    chosen.map(async (terminal) => {
      try {
        if (terminal instanceof Error) throw terminal;
        await act(terminal);
        return OK;
      } catch (error) {
        if (!(error instanceof TerminalError)) throw error;
        say(error.message);
        return exitCodeOfError(error);
      }
    }),
  );
  return codes.find((code) => code !== OK) ?? reach;
}
