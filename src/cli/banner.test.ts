import { resolveOptions } from '../config.js';
import { banner } from './banner.js';

const options = (...argv: string[]) => resolveOptions({ argv, env: { HOME: '/home/a' }, cwd: '/' }).options;
const OURS = { pid: 42, command: 'tenacitty' };
const URL_SHOWN = 'http://127.0.0.1:3001';

describe('banner', () => {
  it('says where the server is, how to try and stop it, and where things are kept', () => {
    const text = banner(URL_SHOWN, options('--data-dir=/data', '--log-file=/var/log/a.log'), OURS);
    for (const part of [URL_SHOWN, '/llms.txt', '/data', '/var/log/a.log', 'kill 42', 'no .env file']) {
      expect(text).toContain(part);
    }
  });

  it('says that there is a policy, and where, if there is one', () => {
    expect(banner(URL_SHOWN, options(), OURS)).not.toContain('Policy');
    const withPolicy = { ...options(), commandPolicyFile: '/etc/policy.json' };
    expect(banner(URL_SHOWN, withPolicy, OURS)).toMatch(/^ {2}Policy {4}\/etc\/policy\.json defines what may run$/m);
  });

  it('says where others reach it, and warns of plain HTTP', () => {
    expect(banner(URL_SHOWN, options(), OURS)).not.toMatch(/WARNING|interfaces/);
    const open = banner('http://localhost:3001', { ...options(), host: '0.0.0.0' }, OURS);
    expect(open).toContain('it listens on all interfaces (0.0.0.0)');
    expect(open).toMatch(/^ {2}WARNING {2,}plain HTTP beyond this machine/m);
    const tls = { certFile: '/cert.pem', keyFile: '/key.pem' };
    const closed = banner('https://localhost:3001', { ...options(), host: '::', tls }, OURS);
    expect(closed).toContain('it listens on all interfaces (::)');
    expect(closed).not.toContain('WARNING');
  });

  it('puts the key into the line to try where local trust is off', () => {
    const text = banner(URL_SHOWN, options('--trust-local=false'), OURS);
    expect(text).toContain('-H "X-API-Key: $API_KEY"');
  });
});
