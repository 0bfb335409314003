import { resolveOptions } from '../config.js';
import { banner } from './banner.js';

const options = (...argv: string[]) => resolveOptions({ argv, env: { HOME: '/home/a' }, cwd: '/' }).options;
const OURS = { pid: 42, command: 'tenacitty' };
const URL_SHOWN = 'http://127.0.0.1:3001';

describe('banner', () => {
  it('shows where the server is, how to try and stop it, and where data is stored', () => {
    const text = banner(URL_SHOWN, options('--data-dir=/data', '--log-file=/var/log/a.log'), OURS);
    for (const part of [URL_SHOWN, '/llms.txt', '/data', '/var/log/a.log', 'kill 42', 'no .env file']) {
      expect(text).toContain(part);
    }
  });

  it('shows the policy and its file, if there is one', () => {
    expect(banner(URL_SHOWN, options(), OURS)).not.toContain('Policy');
    const withPolicy = { ...options(), commandPolicyFile: '/etc/policy.json' };
    expect(banner(URL_SHOWN, withPolicy, OURS)).toMatch(/^ {2}Policy {4}\/etc\/policy\.json defines what may run$/m);
  });

  it('shows the address for other machines, and warns of plain HTTP', () => {
    expect(banner(URL_SHOWN, options(), OURS)).not.toMatch(/WARNING|interfaces/);
    const open = banner('http://localhost:3001', { ...options(), host: '0.0.0.0' }, OURS);
    expect(open).toContain('it listens on all interfaces (0.0.0.0)');
    expect(open).toMatch(/^ {2}WARNING {2,}plain HTTP beyond this machine/m);
    const tls = { certFile: '/cert.pem', keyFile: '/key.pem' };
    const closed = banner('https://localhost:3001', { ...options(), host: '::', tls }, OURS);
    expect(closed).toContain('it listens on all interfaces (::)');
    expect(closed).not.toContain('WARNING');
  });

  it('includes the key in the example command if local trust is off', () => {
    const text = banner(URL_SHOWN, options('--trust-local=false'), OURS);
    expect(text).toContain('-H "X-API-Key: $API_KEY"');
  });
});
