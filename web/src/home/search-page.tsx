/** Renders a search across all terminals: shows lines and commands as soon as they are found, with exact counts. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { client } from '../access.js';
import { route } from '../routing/place.js';
import { pathOf } from '../routing/route.js';
import { wholeName } from '../store/naming.js';
import { fleet } from '../store/store.js';
import { count, counted } from '../ui/durations.js';
import { Line } from '../ui/line.js';
import { Bar } from './bar.js';

interface Found {
  readonly terminal: string;
  readonly line: number;
  readonly text: string;
}

const found = signal<readonly Found[]>([]);
const said = signal('');
/** Matches beyond this number are counted but not shown. */
const MAX_SHOWN = 500;

async function search(text: string, abort: AbortSignal): Promise<void> {
  const request = { text, ignoreCase: text === text.toLowerCase(), commands: true };
  for await (const item of client.searchAll(request, { signal: abort })) {
    if (abort.aborted) return;
    if (item.type === 'match') add({ terminal: item.terminalId, line: item.line, text: item.text });
    else if (item.type === 'command')
      add({ terminal: item.terminalId, line: item.command.fromLine, text: item.command.text });
    else if (item.type === 'end') said.value = endWords(item.matches, item.searched, item.next !== null);
  }
}

function add(each: Found): void {
  found.value = [...found.peek(), each];
}

function endWords(matches: number, searched: number, hasMore: boolean): string {
  const rest = hasMore ? ' Some output was not searched.' : '';
  return `${counted(matches, 'match', 'matches')}. ${counted(searched, 'terminal')} were searched to the end.${rest}`;
}

export function SearchPage() {
  const text = route.value.query['q'] ?? '';
  useEffect(() => {
    const abort = new AbortController();
    found.value = [];
    said.value = 'Searching …';
    if (text !== '')
      search(text, abort.signal).catch((error: unknown) => {
        if (!abort.signal.aborted) said.value = error instanceof Error ? error.message : 'The search failed.';
      });
    return () => abort.abort();
  }, [text]);
  const ids = [...new Set(found.value.slice(0, MAX_SHOWN).map(({ terminal }) => terminal))];
  return (
    <div class="view is-on">
      <Bar />
      <main class="scroll" id="main" tabIndex={-1}>
        <h1 class="vh">Search</h1>
        <div class="found">
          <p role="status">{said.value}</p>
          {ids.map((id) => (
            <Hits key={id} id={id} />
          ))}
        </div>
      </main>
    </div>
  );
}

function Hits({ id }: { id: string }) {
  const terminal = fleet.value.get(id);
  const hits = found.value.slice(0, MAX_SHOWN).filter((each) => each.terminal === id);
  return (
    <section class="hit">
      <header>
        <a class="plain strong nowrap" href={pathOf(id, 'history')}>
          {terminal === undefined ? id : wholeName(terminal)}
        </a>
        <span class="grow" />
        <span class="dim nowrap">{counted(hits.length, 'line')}</span>
      </header>
      <div class="lines">
        {hits.map(({ line, text }, index) => (
          <div class="ln" key={index}>
            <a href={`${pathOf(id, 'history')}#L${line}`}>{count(line)}</a>
            <span>
              <Line text={text} />
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}
