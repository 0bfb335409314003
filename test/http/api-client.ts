/** A client that validates every answer against the route table before it returns it to the test. */
import { Agent } from 'node:http';
import supertest, { type Response } from 'supertest';
import { documented } from './documented.js';

export interface ApiCallOptions {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export class ApiClient {
  /** The kernel's table of connections is read once for each connection, which takes some 10 ms. */
  readonly #agent = new Agent({ keepAlive: true });

  constructor(readonly url: string) {}

  get = (path: string, query: Readonly<Record<string, unknown>> = {}) => this.call('get', path, { query });
  post = (path: string, body?: object) => this.call('post', path, body ? { body } : {});
  put = (path: string, body?: object) => this.call('put', path, body ? { body } : {});
  patch = (path: string, body?: object) => this.call('patch', path, body ? { body } : {});
  delete = (path: string, options: ApiCallOptions = {}) => this.call('delete', path, options);

  /** Sends one request and checks that its answer is documented. */
  async call(method: Method, path: string, { query = {}, body, headers = {} }: ApiCallOptions = {}): Promise<Response> {
    const request = supertest(this.url)[method](path).agent(this.#agent).query(query).set(headers);
    const response = await (body === undefined ? request : request.send(body));
    documented(method, path, response);
    return response;
  }

  /** Creates a terminal and returns its id. */
  async create(options: object = {}): Promise<string> {
    const { status, body } = await this.post('/api/terminals', options);
    if (status !== 201) throw new Error(`No terminal: ${JSON.stringify(body)}`);
    return body.data.terminalId as string;
  }

  /** Creates a terminal that runs a script. */
  async run(script: string): Promise<string> {
    return this.create({ command: '/bin/sh', args: ['-c', script] });
  }

  async type(id: string, input: string): Promise<void> {
    await this.post(`/api/terminals/${id}/input`, { input });
  }

  /** Reads on, with the API's own waits, until the output so far contains `text`. */
  async readUntil(id: string, text: string): Promise<string> {
    let seen = '';
    let cursor: string | undefined;
    while (!seen.includes(text)) {
      const { body } = await this.get(`/api/terminals/${id}/output`, {
        timeoutMs: WAIT_MS,
        ...(cursor ? { cursor } : {}),
      });
      const { output, isActive, hasMore } = body.data;
      seen += output;
      cursor = body.data.cursor;
      if (!isActive && !hasMore && !seen.includes(text)) throw new Error(`Ended without ${text}: ${seen}`);
    }
    return seen;
  }

  /** Waits until the program has ended; returns the terminal's details. */
  async ended(id: string) {
    let cursor: string | undefined;
    for (;;) {
      const { body } = await this.get(`/api/terminals/${id}/output`, {
        timeoutMs: WAIT_MS,
        ...(cursor ? { cursor } : {}),
      });
      cursor = body.data.cursor;
      if (!body.data.isActive) return (await this.get(`/api/terminals/${id}`)).body.data;
    }
  }
}

/** Limits only a failing test; a passing one is answered as soon as there is output. */
const WAIT_MS = 20_000;
