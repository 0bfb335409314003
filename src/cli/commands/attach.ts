/** `tenacitty attach`: attaches to the given terminal, to a new one, or to the most recently used one. */
import type { Options } from '../../config.js';
import type { TerminalManager } from '../../contract/manager.js';
import { TerminalError } from '../../errors.js';
import { Display } from '../attach/display.js';
import { lastUsedTerminal } from '../attach/last-used.js';
import { checkTerminals, attachTerminal, DEFAULT_SCROLLBACK } from '../attach/attach-terminal.js';
import { detachKeyOf } from '../attach/detach-key.js';
import type { ParsedCall } from '../command.js';
import { createForPerson } from '../creation-request.js';
import { usageError } from '../parse.js';
import { isByLabel, oneSelected } from '../selection.js';
import { printMessage } from '../stdout.js';
import type { ATTACH_FLAGS } from '../flags/reach.js';
import { shortId } from '../terminal-id.js';
import { commandFormatter } from '../command-formatter.js';
import { withEngine } from '../with-engine.js';

type AttachCall = ParsedCall<typeof ATTACH_FLAGS>;

export function attach(call: AttachCall): Promise<number> {
  const { flags, settings } = call;
  if (flags.create !== undefined && isNamed(call)) {
    throw usageError({ name: 'attach' }, 'Give either ID, --label or --create.');
  }
  checkTerminals(flags.readOnly);
  return withEngine(settings, async (manager, options) => {
    const id = await chosen(manager, options, call);
    return attachTerminal(manager, id, {
      isReadOnly: flags.readOnly,
      isTaking: flags.take,
      detachKey: flags.detachKey ?? detachKeyOf(options),
      scrollback: flags.scrollback ?? DEFAULT_SCROLLBACK,
      formatCommand: commandFormatter(options),
    });
  });
}

function isNamed(call: AttachCall): boolean {
  return call.operands.length > 0 || isByLabel(call);
}

async function chosen(manager: TerminalManager, options: Options, call: AttachCall): Promise<string> {
  const { create } = call.flags;
  if (create !== undefined) return (await runningOf(manager, create)) ?? opened(manager, options, create);
  if (!isNamed(call)) return lastUsedTerminal(manager, commandFormatter(options));
  return (await oneSelected(manager, call, 'running')).id;
}

async function runningOf(manager: TerminalManager, name: string): Promise<string | undefined> {
  const named = await manager.list({ name });
  return named.find(({ status }) => status === 'active')?.id;
}

async function opened(manager: TerminalManager, options: Options, name: string): Promise<string> {
  const size = new Display().size;
  const flags = { name, cwd: undefined, env: [], cols: size?.cols, rows: size?.rows };
  try {
    const { id } = await createForPerson(manager, options, flags, []);
    printMessage(`opened terminal ${shortId(id)}, named ${name}`);
    return id;
  } catch (error) {
    // Another client has just created a terminal with this name.
    const id = error instanceof TerminalError && error.code === 'NAME_TAKEN' ? error.details['terminalId'] : undefined;
    if (typeof id !== 'string') throw error;
    return id;
  }
}
