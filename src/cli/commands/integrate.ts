/** `tenacitty integrate`: commands run in the shell or REPL that a command has led to. */
import type { Call } from '../command.js';
import { printJson, say } from '../stdout.js';
import type { INTEGRATE_FLAGS } from '../table/commands.js';
import { findTerminal, shortId } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';

export function integrate({ operands: [given], flags, settings }: Call<typeof INTEGRATE_FLAGS>): Promise<void> {
  return withEngine(settings, async (manager) => {
    const { id } = await findTerminal(manager, given!);
    const shell = await manager.integrate(id, { as: flags.as, timeoutMs: flags.timeout });
    if (flags.json) return printJson(shell);
    const { kind, version, within } = shell;
    say(`terminal ${shortId(id)}: commands run in ${`${kind} ${version}`.trim()} now, within command ${within}`);
  });
}
