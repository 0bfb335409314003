/** Which view an address shows. Pure. */

export type View = 'home' | 'search' | 'terminal' | 'history' | 'replay' | 'access';

export interface Route {
  readonly view: View;
  /** Id of the terminal; empty where the view shows none. */
  readonly terminal: string;
  readonly query: Readonly<Record<string, string>>;
  /** Without the `#`. */
  readonly hash: string;
}

const WAYS: Readonly<Record<string, View>> = { '': 'terminal', history: 'history', replay: 'replay' };

export function routeOf(address: URL): Route {
  const [first = '', id = '', way = ''] = address.pathname.split('/').filter(Boolean);
  const rest = { query: Object.fromEntries(address.searchParams), hash: address.hash.slice(1) };
  const terminal = safelyDecoded(id);
  if (first === 'terminals' && terminal !== '') return { view: WAYS[way] ?? 'terminal', terminal, ...rest };
  const view = first === 'search' || first === 'access' ? first : 'home';
  return { view, terminal: '', ...rest };
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Path of a terminal's view. */
export function pathOf(terminal: string, view: View = 'terminal'): string {
  return `/terminals/${encodeURIComponent(terminal)}${view === 'terminal' ? '' : `/${view}`}`;
}

/** Path of the home page with these filters; those that are empty are left out. */
export function homeWith(query: Readonly<Record<string, string>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return given.length === 0 ? '/' : `/?${new URLSearchParams(given).toString()}`;
}

/** Lines that `#L120-L140` names. */
export function linesIn(hash: string): { readonly from: number; readonly to: number } | null {
  const found = /^L(\d{1,12})(?:-L?(\d{1,12}))?$/.exec(hash);
  if (found === null) return null;
  const [first, second] = [Number(found[1]), Number(found[2] ?? found[1])];
  return { from: Math.min(first, second), to: Math.max(first, second) };
}

/** The code of a sign-in link, as `#code=XXXX-XXXX`. */
export function codeIn(hash: string): string | null {
  return /^code=([A-Za-z0-9-]{8,16})$/.exec(hash)?.[1] ?? null;
}
