/** Checks what responds at the server's address, if anything. */
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import type { Options } from '../../config.js';
import { placeMark } from '../../config/place.js';
import { commandName } from '../../command-name.js';
import { commandFormatter } from '../command-formatter.js';
import { portHolder } from '../port-holder.js';
import { note, ok, reasonOf, wrong } from './finding.js';
import type { Finding } from './finding.js';

const WHAT = 'server';
const TIMEOUT_MS = 3000;
/** Path to request. The response contains `success` even for a caller that is refused. */
const PATH = '/api/health';
const MAX_ANSWER = 64 << 10;

/** Checks the server. It is not a problem if there is none, because the command line does not need one. */
export async function checkServer(options: Options): Promise<Finding> {
  const { tls, host, port } = options;
  if (port === 0) return note(WHAT, 'not checked: TENACITTY_PORT is 0, which means any free port');
  const name = host.includes(':') ? `[${host}]` : host;
  const url = `${tls ? 'https' : 'http'}://${name}:${port}`;
  try {
    const answer = await ask(url + PATH);
    if (answer.includes('"success"')) return judged(answer, url, options);
    return wrong(WHAT, `another program responds at ${url}${heldBy(port)}: choose another TENACITTY_PORT`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED')
      return note(WHAT, `not running at ${url}; to start it: ${commandFormatter(options)('serve')}`);
    return wrong(WHAT, `no response at ${url}${heldBy(port)}: ${reasonOf(error)}`);
  }
}

/** Returns the finding for a response. A server with another data directory has other terminals, which is a problem. */
function judged(answer: string, url: string, options: Options): Finding {
  const { place, problems = [] } = dataIn(answer);
  if (place === undefined) {
    return note(
      WHAT,
      `responds at ${url}, but denies access to this command, so it is not known whether it has the same terminals`,
    );
  }
  if (place !== placeMark(options)) {
    const cure = `set the same TENACITTY_DATA_DIR for both (${commandName()} config shows where it comes from)`;
    return wrong(WHAT, `the server at ${url} has another data directory, and therefore other terminals: ${cure}`);
  }
  return problems.length > 0 ? wrong(WHAT, `${url}: ${problems.join('; ')}`) : ok(WHAT, `responds at ${url}`);
}

function dataIn(answer: string): { place?: string; problems?: string[] } {
  try {
    return (JSON.parse(answer) as { data?: { place?: string; problems?: string[] } }).data ?? {};
  } catch {
    return {};
  }
}

function heldBy(port: number): string {
  const holder = portHolder(port);
  return holder ? ` (process ${holder.pid}, ${holder.command})` : '';
}

function ask(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const get = url.startsWith('https') ? getHttps : getHttp;
    // The certificate is not verified, because nothing secret is sent here.
    const request = get(url, { timeout: TIMEOUT_MS, rejectUnauthorized: false, agent: false }, (response) => {
      let answer = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => (answer = (answer + text).slice(0, MAX_ANSWER)));
      response.on('end', () => resolve(answer));
      response.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new Error(`no response within ${TIMEOUT_MS / 1000} s`)));
    request.on('error', reject);
  });
}
