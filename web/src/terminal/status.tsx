/** Renders the line below a terminal: where keys go, how current it is, and its size. */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import { plain } from '../store/naming.js';
import { count, counted, timeOfDay } from '../ui/durations.js';
import { Icon } from '../ui/icon.js';
import type { LiveView } from './live-view.js';
import type { Back } from './viewport.js';

interface Props {
  readonly terminal: OverviewTerminal;
  readonly view: LiveView;
}

export function Status({ terminal, view }: Props) {
  const back = view.viewport.value?.back ?? null;
  return (
    <footer class="tstat no-phone">
      <span class="cut">
        <span role="status">{view.hint.value}</span>
        {view.hint.value === '' && <Words {...{ terminal, view, back }} />}
      </span>
      <span class="right">{back === null ? <Facts {...{ terminal, view }} /> : <ToEnd view={view} />}</span>
    </footer>
  );
}

function Words({ terminal, view, back }: Props & { back: Back | null }) {
  const lostAt = view.lostAt.value;
  if (back !== null) return <>{wordsOf(back, terminal.status === 'active')}</>;
  if (terminal.status !== 'active') return <>Last screen. It no longer accepts input.</>;
  if (lostAt !== null) return <>As of {timeOfDay(new Date(lostAt).toISOString())}</>;
  if (view.hold.value.since !== null) return <Held {...{ terminal, view }} />;
  return (
    <>
      Watching. Keys act on this page. <kbd>?</kbd>
    </>
  );
}

/** Describes how far the user has scrolled back. */
export function wordsOf({ below, fresh }: Back, isActive: boolean): string {
  const lines = `${counted(below, 'line')} below`;
  if (!isActive) return `Scrolled back. ${lines}.`;
  const news = fresh === null || fresh === 0 ? '' : `, ${count(fresh)} of them new`;
  return `Scrolled back. The terminal goes on: ${lines}${news}.`;
}

function Held({ terminal, view }: Props) {
  const holder = view.holder.value;
  const maker = terminal.createdBy?.name;
  const others = maker === undefined || maker === holder?.name ? 'Others are' : `${plain(maker)} is`;
  return (
    <>
      <b class="strong">All keys go to the terminal.</b> <kbd>Ctrl</kbd> <kbd>⇧</kbd> <kbd>Space</kbd> leaves it
      {holder !== null && ` · ${others} told: held by ${plain(holder.name)} since ${timeOfDay(holder.since)}`}
    </>
  );
}

function ToEnd({ view }: Pick<Props, 'view'>) {
  return (
    <button class="btn btn-quiet" onClick={() => view.emulator?.terminal.scrollToBottom()}>
      <Icon name="down" />
      To the end <kbd>End</kbd>
    </button>
  );
}

function Facts({ terminal, view }: Props) {
  const { cols, rows } = view.size.value;
  const isMine = view.hold.value.since !== null;
  const whose = isMine ? ', yours' : view.holder.value === null ? '' : `, set by ${plain(view.holder.value.name)}`;
  return (
    <>
      <span>
        {cols} × {rows}
        {whose}
      </span>
      {!isMine && <span>pid {terminal.pid}</span>}
    </>
  );
}
