/** Explains errors of listen(2) so that a person can act on them. */
import type { Options } from '../config.js';
import { TerminalError } from '../errors.js';
import { portHolder } from './port-holder.js';

/**
 * Returns the error to show instead, or the error itself if it is unrelated to listening.
 *
 * @param env - The server's environment, which shows whether the server runs under `npm start`, where flags are passed
 * differently.
 */
export function explainListenError(
  error: unknown,
  { host, port, origins }: Options,
  env: NodeJS.ProcessEnv = process.env,
): unknown {
  const flag = env['npm_lifecycle_event'] === 'start' ? 'npm start -- --port' : '--port';
  const { code, syscall } = error as NodeJS.ErrnoException;
  const unresolved = () => `TENACITTY_HOST ${host} (${origins.TENACITTY_HOST}) cannot be resolved to an address.`;
  const reasons: Readonly<Record<string, () => string>> = {
    EADDRINUSE: () => `${portIsTaken(port)} Choose another with ${flag} ${port + 1}, or any free port with ${flag} 0.`,
    EACCES: () => `Port ${port} (${origins.TENACITTY_PORT}) is reserved for root. Choose one above 1023 with ${flag}.`,
    EADDRNOTAVAIL: () => `TENACITTY_HOST ${host} (${origins.TENACITTY_HOST}) is not an address of this machine.`,
    ENOTFOUND: unresolved,
    EAI_AGAIN: unresolved,
  };
  const explain = syscall === 'listen' || syscall === 'getaddrinfo' ? reasons[code ?? ''] : undefined;
  return explain ? new TerminalError('INVALID_INPUT', explain(), {}, { cause: error }) : error;
}

function portIsTaken(port: number): string {
  const holder = portHolder(port);
  const by = holder ? ` by process ${holder.pid} (${holder.command})` : '';
  return `Port ${port} is in use${by}.`;
}
