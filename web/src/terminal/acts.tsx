/** Renders the actions for a command: the frequent ones as buttons, the others in a menu. */
import type { CommandRecord } from '../../../src/contract/command.js';
import { client } from '../access.js';
import { goTo } from '../routing/place.js';
import { copy } from '../ui/copying.js';
import { asCurl, asLibraryCall, asMcpCall, linkTo, pathTo } from './command-list.js';
import { scrollTo, type LiveView } from './live-view.js';
import { Menu, type MenuItem } from './menu.js';
import { attempt } from './more.js';

/** Scrolls to the start of the command, or opens the history there if the emulator no longer has it. */
export function jumpTo(view: LiveView, command: CommandRecord): void {
  if (!scrollTo(view, command.commandId)) goTo(pathTo(view.id, command));
}

export async function copyOutput({ terminalId, commandId }: CommandRecord): Promise<void> {
  const { output } = await client.readCommand(terminalId, commandId, { maxLines: 1_000_000 });
  await copy(output);
}

function runAgain(view: LiveView, text: string): void {
  if (view.hold.peek().since !== null) attempt(view.live!.type(`${text}\r`));
  else attempt(client.exec(view.id, { command: text, detach: true }));
}

function rarerActs(command: CommandRecord, view: LiveView, isOver: boolean): MenuItem[] {
  const { text } = command;
  const copies: MenuItem[] = [
    ['Copy command', () => void copy(text)],
    ['Copy link', () => void copy(linkTo(location.origin, view.id, command))],
    ['Copy as curl', () => void copy(asCurl(location.origin, view.id, text))],
    ['Copy as MCP call', () => void copy(asMcpCall(view.id, text))],
    ['Copy as code', () => void copy(asLibraryCall(view.id, text))],
  ];
  return isOver ? [...copies, ['Run again', () => runAgain(view, text)]] : copies;
}

export function Acts({ command, view }: { command: CommandRecord; view: LiveView }) {
  const isOver = command.state === 'completed' || command.state === 'lost';
  return (
    <div class="acts">
      <button class="btn btn-quiet" onClick={() => jumpTo(view, command)}>
        Jump {isOver && <kbd>↵</kbd>}
      </button>
      <button class="btn btn-quiet" onClick={() => attempt(copyOutput(command))}>
        Copy output {isOver && <kbd>o</kbd>}
      </button>
      {!isOver && (
        <button class="btn btn-quiet" onClick={() => attempt(client.interrupt(view.id, command.commandId))}>
          Ctrl-C
        </button>
      )}
      <Menu label="Other actions for this command" items={rarerActs(command, view, isOver)} />
    </div>
  );
}
