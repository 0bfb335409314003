/**
 * Serves the built files of the page for browsers. They are the same for everyone and contain no data. Keeps them in
 * memory, together with their compressed versions.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { extname, join } from 'node:path';
import { elementsOf } from '../access/request-headers.js';
import type { Exchange } from './exchange.js';

/** Paths of the page's views, which the page itself distinguishes. */
const VIEW = /^\/(?:terminals\/[^/]+(?:\/(?:history|replay))?|search|access|answer)?$/;
const INDEX = '/index.html';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** File extensions of the compressed versions by their name in `Accept-Encoding`, the smallest version first. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
const OK = 200;

const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // With `no-referrer`, a browser would submit forms without their origin.
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), ' +
    'microphone=(), midi=(), payment=(), publickey-credentials-get=(), serial=(), usb=(), xr-spatial-tracking=()',
  Vary: 'Accept-Encoding',
};

export class PageFiles {
  readonly #directory: string;
  /** Files by path, all read at the same time, so that an old build cannot mix with a new one. */
  #files: ReadonlyMap<string, Buffer> | undefined;

  /** @param directory - Contains the files that `scripts/page.mjs` wrote; may be missing. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Returns the path of the requested file, or undefined if the request is not for the page. */
  pathFor({ method, url = '', headers }: IncomingMessage): string | undefined {
    const path = url.split('?', 1)[0]!;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    if (path === '/' || (VIEW.test(path) && headers.accept?.includes('text/html'))) return INDEX;
    return path.startsWith('/assets/') && TYPES[extname(path)] && this.#all().has(path) ? path : undefined;
  }

  /** Sends a file. @param path - A path that `pathFor` returned. */
  send(path: string, exchange: Exchange): void {
    const files = this.#all();
    const accepted = elementsOf(String(exchange.request.headers['accept-encoding'] ?? ''));
    const encoding = (['br', 'gzip'] as const).find(
      (name) => accepted.includes(name) && files.has(path + ENCODINGS[name]),
    );
    const bytes = files.get(encoding ? path + ENCODINGS[encoding] : path) ?? Buffer.from(UNBUILT);
    exchange.routePath = path === INDEX ? '/' : '/assets';
    exchange.setHeaders({ ...HEADERS, ...(encoding && { 'Content-Encoding': encoding }) });
    // Every other file has a name that changes with its content.
    if (path !== INDEX) exchange.setHeaders({ 'Cache-Control': 'public, max-age=31536000, immutable' });
    exchange.sendBytes(OK, TYPES[extname(path)]!, bytes);
  }

  #all(): ReadonlyMap<string, Buffer> {
    this.#files ??= new Map(filesIn(this.#directory));
    return this.#files;
  }
}

const UNBUILT = `<!doctype html>
<title>tenacitty</title>
<p>The page is not built. <code>npm start</code> builds it; the API is described at <a href="/docs">/docs</a>.</p>
`;

function filesIn(directory: string): [path: string, bytes: Buffer][] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return names.map(({ parentPath, name }) => {
    const file = join(parentPath, name);
    return [file.slice(directory.length), readFileSync(file)];
  });
}
