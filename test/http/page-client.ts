/** A browser's requests from the page, without the browser: each header can be left out or replaced. */
import { createCode } from '../../src/access/sign-in-codes.js';
import { LIVE_PROTOCOL } from '../../src/contract/live.js';

interface At {
  readonly url: string;
  readonly dataDir: string;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: object | string,
): Promise<PageAnswer> {
  const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(body !== undefined && { 'Content-Type': type }), ...headers },
    ...(body !== undefined && { body: text }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Sends a credential as the page at `origin` does. */
export function exchange(url: string, credential: object, headers: Record<string, string> = { Origin: url }) {
  return send(`${url}/api/sign-ins`, 'POST', headers, credential);
}

export class PageClient {
  constructor(
    readonly url: string,
    readonly cookie: string,
    readonly proof: string,
  ) {}

  static async signIn(
    { url, dataDir }: At,
    credential: object = { code: createCode(dataDir, 60_000) },
  ): Promise<PageClient> {
    const { status, headers, text } = await exchange(url, credential);
    if (status !== 201) throw new Error(`${status} ${text}`);
    const { proof } = (JSON.parse(text) as { data: { proof: string } }).data;
    return new PageClient(url, headers.get('set-cookie')!.split(';')[0]!, proof);
  }

  /** As a browser sends them for `fetch`. */
  headers(method = 'GET'): Record<string, string> {
    const origin = method === 'GET' ? { 'Sec-Fetch-Site': 'same-origin' } : { Origin: this.url };
    return { Cookie: this.cookie, 'X-Tenacitty-Proof': this.proof, ...origin };
  }

  ask(method: string, path: string, body?: object): Promise<PageAnswer> {
    return send(this.url + path, method, this.headers(method), body);
  }

  /** Without what `less` names, and with what `more` contains. */
  async status(
    method: string,
    path: string,
    less: readonly string[],
    more: Record<string, string> = {},
  ): Promise<number> {
    const headers = Object.entries(this.headers(method)).filter(([name]) => !less.includes(name));
    const body = method === 'POST' ? {} : undefined;
    return (await send(this.url + path, method, { ...Object.fromEntries(headers), ...more }, body)).status;
  }

  async data<Data>(method: string, path: string, body?: object): Promise<Data> {
    return (JSON.parse((await this.ask(method, path, body)).text) as { data: Data }).data;
  }

  get protocols(): string[] {
    return [LIVE_PROTOCOL, `tenacitty.proof.${this.proof}`];
  }
}
