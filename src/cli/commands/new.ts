/** `tenacitty new`: creates a terminal and prints its id, or attaches to it. */
import { Display } from '../attach/display.js';
import { checkTerminals, attachTerminal } from '../attach/attach-terminal.js';
import { detachKeyOf } from '../attach/detach-key.js';
import type { ParsedCall } from '../command.js';
import { createForPerson } from '../creation-request.js';
import { OK } from '../exit-code.js';
import { print, printJson } from '../stdout.js';
import type { NEW_FLAGS } from '../flags/start.js';
import { asInRest } from '../terminal-id.js';
import { commandFormatter } from '../command-formatter.js';
import { withEngine } from '../with-engine.js';

type NewCall = ParsedCall<typeof NEW_FLAGS>;

export function create(call: NewCall): Promise<number> {
  return call.flags.attach ? createAndAttach(call) : createAndPrint(call);
}

function createAndPrint({ flags, program, settings }: NewCall): Promise<number> {
  return withEngine(settings, async (manager, options) => {
    const detail = await createForPerson(manager, options, flags, program);
    await (flags.json ? printJson(asInRest(detail)) : print(`${detail.id}\n`));
    return OK;
  });
}

/**
 * Creates a terminal and attaches to it. First checks that attaching is possible, so that no terminal is created
 * unnecessarily.
 */
function createAndAttach({ flags, program, settings }: NewCall): Promise<number> {
  checkTerminals();
  return withEngine(settings, async (manager, options) => {
    const size = new Display().size;
    const sized = { ...flags, cols: flags.cols ?? size?.cols, rows: flags.rows ?? size?.rows };
    const { id } = await createForPerson(manager, options, sized, program);
    return attachTerminal(manager, id, {
      isReadOnly: false,
      isTaking: false,
      detachKey: detachKeyOf(options),
      scrollback: 0,
      formatCommand: commandFormatter(options),
    });
  });
}
