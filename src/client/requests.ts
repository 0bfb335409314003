/**
 * Sends requests to a server's REST API and returns its responses or errors. Uses only what both browsers and Node
 * provide.
 */
import { ApiError } from './error.js';

export interface ConnectOptions {
  /** URL of the server. Default: the URL of the page in a browser, otherwise `http://localhost:3001`. */
  readonly url?: string;
  /** API key. On Linux, programs that the server's user runs on the server's machine do not need one. */
  readonly key?: string;
}

export interface ClientCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: object;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Ends the wait for the response. A command that has started keeps running. */
  readonly signal?: AbortSignal;
}

export class Requests {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ url, key }: ConnectOptions) {
    const here = (globalThis as { location?: { readonly origin: string } }).location?.origin;
    this.url = (url ?? here ?? 'http://localhost:3001').replace(/\/+$/, '');
    this.headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  }

  /**
   * Returns the `data` of a response.
   *
   * @throws ApiError if the response is an error, or the error of `fetch` if there is no response.
   */
  async send<Data>(path: string, call: ClientCall = {}): Promise<Data> {
    const response = await this.open(path, call);
    const answer = await answerIn<Data>(response);
    if (answer.success !== true) throw errorOf(response, answer);
    return answer.data as Data;
  }

  /** Returns a successful response before its body has been read. @throws The same errors as `send`. */
  async open(
    path: string,
    { method = 'GET', query = {}, body, headers = {}, signal }: ClientCall = {},
  ): Promise<Response> {
    const given = Object.entries({ ...this.headers, ...headers }).filter((each): each is [string, string] => !!each[1]);
    const response = await fetch(`${this.url}${path}${queryOf(query)}`, {
      method,
      headers: { ...Object.fromEntries(given), ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (response.ok) return response;
    throw errorOf(response, await answerIn(response));
  }
}

/** Parses a response. Returns an empty object if it does not come from a tenacitty server. */
async function answerIn<Data>(response: Response): Promise<Answer<Data>> {
  return (await response.json().catch(() => ({}))) as Answer<Data>;
}

function errorOf({ status }: Response, { error }: Answer<unknown>): ApiError {
  const { code = 'INTERNAL_ERROR', message = `The server responded with ${status}`, details = {} } = error ?? {};
  return new ApiError(code, message, status, details);
}

interface Answer<Data> {
  readonly success?: boolean;
  readonly data?: Data;
  readonly error?: { readonly code: string; readonly message: string; readonly details: Record<string, unknown> };
}

/** Formats a query. Lists become repeated parameters. */
function queryOf(query: object): string {
  const pairs = Object.entries(query as Record<string, unknown>).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== undefined)
      .map((each): [string, string] => [name, String(each)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
