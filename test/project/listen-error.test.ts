/** Tests the message to a person if the server cannot listen, with real errors of the system. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { explainListenError } from '../../src/cli/listen-error.js';
import { portHolder } from '../../src/cli/port-holder.js';
import { resolveOptions } from '../../src/config.js';
import { whereLinux } from '../where.js';

const { it: onLinux } = whereLinux();
const options = (...argv: string[]) => resolveOptions({ argv, env: {}, cwd: '/' }).options;

let holder: Server;
let port: number;
beforeEach(async () => {
  holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  ({ port } = holder.address() as AddressInfo);
});
afterEach(() => void holder.close());

async function refusal(host: string, wanted: number): Promise<unknown> {
  const [error] = (await once(createServer().listen(wanted, host), 'error')) as [unknown];
  return error;
}

describe('portHolder', () => {
  onLinux('names the process that listens', () => {
    expect(portHolder(port)).toEqual({ pid: process.pid, command: expect.stringContaining('node') });
  });

  it('returns nothing if no process listens', async () => {
    holder.close();
    await once(holder, 'close');
    expect(portHolder(port)).toBeUndefined();
  });
});

describe('explainListenError', () => {
  onLinux('reports a used port, the process that uses it, and advice', async () => {
    const explained = explainListenError(await refusal('127.0.0.1', port), options(`--port=${port}`));
    expect(explained).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(`^Port ${port} is in use by process ${process.pid} .* --port`),
    });
  });

  it('names the flag as it must be written for this server', async () => {
    const taken = await refusal('127.0.0.1', port);
    const told = (env: NodeJS.ProcessEnv) =>
      (explainListenError(taken, options(`--port=${port}`), env) as Error).message;
    expect(told({})).toContain(` with --port ${port + 1}, or any free port with --port 0.`);
    const byNpm = ` with npm start -- --port ${port + 1}, or any free port with npm start -- --port 0.`;
    expect(told({ npm_lifecycle_event: 'start' })).toContain(byNpm);
  });

  it('explains an address that does not belong to this machine', async () => {
    const explained = explainListenError(await refusal('192.0.2.1', 0), options());
    expect(explained).toMatchObject({ message: expect.stringContaining('not an address of this machine') });
  });

  it('explains a name that cannot be resolved', async () => {
    const explained = explainListenError(await refusal('no-such-host.invalid', 0), options());
    expect(explained).toMatchObject({ message: expect.stringContaining('cannot be resolved') });
  });

  it('leaves other errors unchanged', () => {
    const other = new TypeError('something else');
    expect(explainListenError(other, options())).toBe(other);
  });
});
