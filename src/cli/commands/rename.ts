/** `tenacitty rename` and `tenacitty label`: change a terminal's name and labels. */
import { labelsOf } from '../../contract/labels.js';
import type { UpdateTerminal } from '../../contract/terminal.js';
import type { ParsedCall } from '../command.js';
import { actOnEach } from '../each-terminal.js';
import { usageError } from '../parse.js';
import { allSelected, oneSelected, wordsAfterId } from '../selection.js';
import { printMessage } from '../stdout.js';
import type { LABEL_FLAGS, RENAME_FLAGS } from '../flags/reach.js';
import { shortId } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';

type Labels = NonNullable<UpdateTerminal['labels']>;

const TAKES_AWAY = /^([\w.-]+)-$/;

export function rename(call: ParsedCall<typeof RENAME_FLAGS>): Promise<void> {
  const { clear } = call.flags;
  const [name] = wordsAfterId(call);
  if (clear === (name !== undefined)) throw usageError({ name: 'rename' }, 'Give either NAME or --clear.');
  return withEngine(call.settings, async (manager) => {
    const { id } = await oneSelected(manager, call);
    await manager.update(id, { name: name ?? null });
    printMessage(`terminal ${shortId(id)} ${name === undefined ? 'has no name' : `is now named ${name}`}`);
  });
}

export function label(call: ParsedCall<typeof LABEL_FLAGS>): Promise<number> {
  const labels = changesOf(wordsAfterId(call));
  return withEngine(call.settings, async (manager) =>
    actOnEach(await allSelected(manager, call), async ({ id }) => {
      const { labels: all } = await manager.update(id, { labels });
      const words = Object.entries(all).map(([name, value]) => `${name}=${value}`);
      printMessage(
        `terminal ${shortId(id)} has ${words.length === 0 ? 'no labels' : `the labels ${words.join(', ')}`}`,
      );
    }),
  );
}

function changesOf(words: readonly string[]): Labels {
  const changes = words.map((word): Labels => {
    if (word.includes('=')) return labelsOf([word]);
    const [, name] = TAKES_AWAY.exec(word) ?? [];
    if (name !== undefined) return { [name]: null };
    throw usageError({ name: 'label' }, `expected NAME=VALUE or NAME-, given ${JSON.stringify(word)}.`);
  });
  return Object.assign({}, ...changes) as Labels;
}
