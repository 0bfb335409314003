/** Decides which view a URL shows. Pure. */

export type View = 'home' | 'search' | 'terminal' | 'history' | 'replay' | 'access' | 'answer';

export interface Route {
  readonly view: View;
  /** The terminal's id, or an empty string if the view shows no terminal. */
  readonly terminal: string;
  readonly query: Readonly<Record<string, string>>;
  /** The hash without the `#`. */
  readonly hash: string;
}

const WAYS: Readonly<Record<string, View>> = { '': 'terminal', history: 'history', replay: 'replay' };

export function routeOf(address: URL): Route {
  const [first = '', id = '', way = ''] = address.pathname.split('/').filter(Boolean);
  const rest = { query: Object.fromEntries(address.searchParams), hash: address.hash.slice(1) };
  const terminal = safelyDecoded(id);
  if (first === 'terminals' && terminal !== '') return { view: WAYS[way] ?? 'terminal', terminal, ...rest };
  const view = first === 'search' || first === 'access' || first === 'answer' ? first : 'home';
  return { view, terminal: '', ...rest };
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Returns the path of a terminal's view. */
export function pathOf(terminal: string, view: View = 'terminal'): string {
  return `/terminals/${encodeURIComponent(terminal)}${view === 'terminal' ? '' : `/${view}`}`;
}

/** Returns the path of the home page with these filters; empty filters are omitted. */
export function homeWith(query: Readonly<Record<string, string>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return given.length === 0 ? '/' : `/?${new URLSearchParams(given).toString()}`;
}

/** Returns the lines that a hash such as `#L120-L140` refers to. */
export function linesIn(hash: string): { readonly from: number; readonly to: number } | null {
  const found = /^L(\d{1,12})(?:-L?(\d{1,12}))?$/.exec(hash);
  if (found === null) return null;
  const [first, second] = [Number(found[1]), Number(found[2] ?? found[1])];
  return { from: Math.min(first, second), to: Math.max(first, second) };
}

/** Returns the code in the hash of a sign-in link, `#code=XXXX-XXXX`. */
export function codeIn(hash: string): string | null {
  return /^code=([A-Za-z0-9-]{8,16})$/.exec(hash)?.[1] ?? null;
}

/** Returns the code in the hash of a link to answer a question, which is longer than that of a sign-in link. */
export function answerCodeIn(hash: string): string | null {
  return /^code=([\w-]{43})$/.exec(hash)?.[1] ?? null;
}
