/** `tenacitty integrate`: runs commands in the nested shell or REPL that a command has started. */
import type { ParsedCall } from '../command.js';
import { oneSelected } from '../selection.js';
import { printJson, printMessage } from '../stdout.js';
import type { INTEGRATE_FLAGS } from '../flags/commands.js';
import { shortId } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';

export function integrate(call: ParsedCall<typeof INTEGRATE_FLAGS>): Promise<void> {
  const { flags, settings } = call;
  return withEngine(settings, async (manager) => {
    const { id } = await oneSelected(manager, call, 'running');
    const shell = await manager.integrate(id, { as: flags.as, timeoutMs: flags.timeout });
    if (flags.json) return printJson(shell);
    const { kind, version, within } = shell;
    printMessage(
      `terminal ${shortId(id)}: commands now run in ${`${kind} ${version}`.trim()}, within command ${within}`,
    );
  });
}
