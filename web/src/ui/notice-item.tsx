/** Renders the item of a terminal's menu that turns its notifications on or off. */
import { askForNoticesOf, noticedTerminals, wantsNotices } from './notices.js';

export function NoticeItem({ id }: { id: string }) {
  if (wantsNotices.value) return null;
  const isOn = noticedTerminals.value.includes(id);
  return (
    <button role="menuitem" onClick={() => void askForNoticesOf(id)}>
      {isOn ? 'Stop notifying me' : 'Notify me of questions and long commands'}
    </button>
  );
}
