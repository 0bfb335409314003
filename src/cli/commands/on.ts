/**
 * `tenacitty on`: creates, lists and removes hooks. It changes the files in the data directory, where a running server
 * detects the changes. It therefore needs no key, and works even if no server is running.
 */
import { KeyRing } from '../../access/key-ring.js';
import { openCommandPolicy } from '../../access/policy/open-policy.js';
import { check } from '../../check.js';
import { commandName } from '../../command-name.js';
import { resolveOptions } from '../../config.js';
import type { Options } from '../../config.js';
import { createHook } from '../../contract/hooks.js';
import type { HookRequest, ShownHook } from '../../contract/hooks.js';
import { labelsOf } from '../../contract/labels.js';
import { HookFiles } from '../../hooks/hook-files.js';
import { addHook, shownHooks } from '../../hooks/manage.js';
import { printable } from '../../printable.js';
import { userName } from '../../user-name.js';
import type { ParsedCall } from '../command.js';
import type { ON_FLAGS } from '../flags/hooks.js';
import { usageError } from '../parse.js';
import { print, printJson, printMessage } from '../stdout.js';
import { findTerminal } from '../terminal-id.js';
import { textTable } from '../text-table.js';
import { withEngine } from '../with-engine.js';

const HEADINGS = ['ID', 'EVENTS', 'TO', 'PENDING', 'DELIVERED', 'FAILED', 'LAST ERROR'];
const MAX_SHOWN = 60;

type Call = ParsedCall<typeof ON_FLAGS>;

export async function on(call: Call): Promise<void> {
  const { operands, flags, settings } = call;
  const { options } = resolveOptions({ argv: settings, isServing: false });
  const files = new HookFiles(options.dataDir);
  const isOther = flags.list || flags.remove !== undefined;
  if (isOther && operands.length > 0) throw usageError({ name: 'on' }, `Unexpected argument ${operands[0]}.`);
  if (flags.list) return list(files, options, flags.json);
  if (flags.remove !== undefined) return files.remove(flags.remove);
  if (operands.length === 0) throw usageError({ name: 'on' }, 'EVENT is missing.');
  const maker = { id: 'local', name: userName(), isLocal: true };
  const policy = await openCommandPolicy(options);
  const hook = await addHook(files, await requestOf(call), maker, { policy });
  if (flags.json) return printJson(hook);
  await print(`${hook.id}\n`);
  if (hook.secret !== null) printMessage(`the secret that signs its requests, shown only once: ${hook.secret}`);
  const command = commandName();
  printMessage(`a server delivers the events: ${command} serve. To remove the hook: ${command} on --remove ${hook.id}`);
}

async function requestOf({ operands, flags, settings }: Call): Promise<HookRequest> {
  const { url, exec, id, name, label, longerThan, failed, pattern, quiet, tail } = flags;
  const ids = id.length === 0 ? [] : await fullIds(settings, id);
  const given = {
    on: operands,
    filter: {
      ...(ids.length > 0 && { ids }),
      ...(name.length > 0 && { names: name }),
      ...(label.length > 0 && { labels: labelsOf(label) }),
    },
    ...{ url, exec, pattern, longerThanMs: longerThan, quietMs: quiet },
    ...(failed && { failed }),
    ...(tail && { include: 'tail' }),
  };
  return check('', createHook, given);
}

/** Returns the full ids of terminals that are given by id, by a prefix of it, or by name. */
function fullIds(settings: readonly string[], given: readonly string[]): Promise<string[]> {
  return withEngine(settings, (manager) =>
    Promise.all(given.map(async (each) => (await findTerminal(manager, each)).id)),
  );
}

async function list(files: HookFiles, { dataDir, apiKeyHashes }: Options, json: boolean): Promise<void> {
  const keys = new KeyRing(dataDir, apiKeyHashes, () => {});
  const hooks = shownHooks(files, (principalId) => keys.isAccepted(principalId));
  if (json) return printJson(hooks);
  if (hooks.length === 0) return printMessage('there are no hooks');
  await print(textTable([HEADINGS, ...hooks.map(rowOf)]));
}

function rowOf({ id, on: events, url, exec = '', active, state }: ShownHook): string[] {
  const { pending, delivered, failed, lastError } = state;
  const to = printable(url ?? exec).slice(0, MAX_SHOWN);
  const error = active ? printable(lastError?.message ?? '') : 'its key is no longer valid';
  return [id, events.join(','), to, String(pending), String(delivered), String(failed), error];
}
