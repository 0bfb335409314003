/** Renders what is below a terminal on a phone: who holds it and *Take over*, or the field and the keys. */
import { useMemo } from 'preact/hooks';
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { openLike } from '../home/rows.js';
import { plain } from '../store/naming.js';
import { takeOver, type LiveView } from '../terminal/live-view.js';
import { attempt } from '../terminal/more.js';
import { Icon } from '../ui/icon.js';
import { KeyBar } from './key-bar.js';
import { TypeBar } from './type-bar.js';
import { Typing } from './typing.js';
import { isFullScreen } from './ways.js';
import { isPhone } from './width.js';

interface Props {
  readonly terminal: OverviewTerminal;
  readonly view: LiveView;
}

export function PhoneFoot(props: Props) {
  if (!isPhone.value) return null;
  if (props.terminal.status !== 'active') return <OverBar {...props} />;
  return props.view.hold.value.since === null ? <WatchBar {...props} /> : <Keyboard {...props} />;
}

/** Returns whether the program reads single keys, so that each one must be sent at once. */
function readsKeys({ id, waiting }: OverviewTerminal): boolean {
  return isFullScreen(id) || waiting?.kind === 'key' || waiting?.kind === 'program';
}

function Keyboard({ terminal, view }: Props) {
  const typing = useMemo(() => new Typing(view), [view]);
  return (
    <>
      <TypeBar {...{ terminal, typing }} isByKey={readsKeys(terminal)} />
      <KeyBar typing={typing} />
    </>
  );
}

function WatchBar({ view }: Props) {
  const holder = view.holder.value;
  return (
    <div class="watchbar only-phone">
      {holder === null ? (
        <span class="sub">No one holds it</span>
      ) : (
        <span class="hold cut">
          <Icon name="agent" />
          {plain(holder.name)} holds it
        </span>
      )}
      <span class="grow" />
      <button class="btn btn-main" disabled={view.state.value === 'connecting'} onClick={() => takeOver(view)}>
        Take over
      </button>
    </div>
  );
}

function OverBar({ terminal }: Props) {
  return (
    <div class="watchbar only-phone">
      <span class="sub">It no longer accepts input.</span>
      <span class="grow" />
      <button class="btn btn-main" onClick={() => attempt(openLike(terminal.id))}>
        Open similar terminal
      </button>
    </div>
  );
}
