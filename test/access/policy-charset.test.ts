/**
 * Tests that a caller cannot choose the charset in which a shell reads a line: in some charsets, a quote can be the
 * second half of a character.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AcpTerminals } from '../../src/acp.js';
import { createCommandPolicy } from '../../src/access/policy/create-command-policy.js';
import { LocalTerminalManager } from '../../src/terminal/terminal-manager.js';
import { outcomesIn } from './policy-outcome.js';
import { where } from '../where.js';

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-charset-')));
afterAll(() => rmSync(directory, { recursive: true }));
const { request, outcome, line } = outcomesIn(directory);
const NAMES = ['LANG', 'LC_ALL', 'LC_CTYPE'];

const PLAIN = ['', 'C', 'POSIX', 'C.UTF-8', 'C.utf8', 'en_US.UTF-8', 'de_DE.utf-8@euro', 'UTF-8'];
const OTHER = [
  ...['zh_CN.GBK', 'zh_CN', 'zh_TW.BIG5', 'ja_JP.SJIS', 'zh_CN.GB18030', 'zh_CN.GBK@UTF-8', 'zh_CN.GBK.UTF-8x'],
  ...['UTF-8.GBK', '../x.UTF-8', '/tmp/x.UTF-8', 'C.UTF-8\nx', 'en_US.ISO-8859-1', 'C.UTF-80'],
];

describe.each(NAMES)('%s', (name) => {
  it.each(PLAIN)('may be %p', async (value) => {
    expect(await outcome({ allow: ['git'] }, request('git', [], { env: { [name]: value } }))).toBe('allowed');
    for (const text of [`${name}=${value} git x`, `export ${name}=${value}; git x`, `env ${name}=${value} git x`]) {
      expect([text, await line({ allow: ['git'] }, text)]).toEqual([text, 'allowed']);
    }
  });

  it.each(OTHER)('may not be %p, even if the policy allows the variable', async (value) => {
    const environment = { allow: [...NAMES, 'CI'] };
    const asked = request('git', [], { env: { [name]: value } });
    expect(await outcome({ allow: ['git'], environment }, asked)).toBe(`environment: ${name}`);
    const drops = createCommandPolicy({ environment: { others: 'drop' } });
    expect((await drops.permit({ ...asked, env: { CI: '1', [name]: value } })).env).toEqual({ CI: '1' });
  });

  it.each([
    ['@=zh_CN.GBK bash -c "git x"'],
    ['export @=zh_CN.GBK'],
    ['env @=zh_CN.GBK git x'],
    ['sudo @=zh_CN.GBK git x'],
    ['@=$x git y'],
    ['@=(zh_CN.GBK)'],
    ['export "@=zh_CN.GBK"'],
  ])('may not be set by a line as %p', async (text) => {
    expect(await line({ allow: ['git', 'sudo'] }, text.replaceAll('@', name))).toBe(`environment: ${name}`);
  });

  it.each([
    ['@=C; @+=x'],
    ['@[0]=zh_CN.GBK'],
    ['read @'],
    ['for @ in zh_CN.GBK; do git x; done'],
    ['printf -v @ zh_CN.GBK'],
    ['git ${@:=zh_CN.GBK}'],
  ])('is not understood if a line sets it as %p', async (text) => {
    expect(await line({ allow: ['git'] }, text.replaceAll('@', name))).toBe('notUnderstood: deny');
  });
});

it('cannot be changed by paths of locale files, and translations are not understood', async () => {
  for (const name of ['LOCPATH', 'PATH_LOCALE', 'NLSPATH', 'TEXTDOMAIN', 'TEXTDOMAINDIR']) {
    const asked = request('git', [], { env: { [name]: '/tmp' } });
    expect(await outcome({ allow: ['git'] }, asked)).toBe(`environment: ${name}`);
    expect(await line({ allow: ['git'] }, `${name}=/tmp git x`)).toBe(`environment: ${name}`);
  }
  expect(await line({ allow: ['git'] }, 'git $"x"')).toBe('notUnderstood: deny');
});

it('explains the reason', async () => {
  const policy = createCommandPolicy({ allow: ['git'] });
  await expect(policy.permit(request('git', [], { env: { LANG: 'zh_CN.GBK' } }))).rejects.toThrow(/LANG.*UTF-8/);
  await expect(policy.permit(request('LANG=x git', null, { shell: 'bash' }))).rejects.toThrow(/LANG.*UTF-8/);
});

/** Builds a locale, if the system can. */
function madeLocale(): string | null {
  const path = join(directory, 'locales');
  mkdirSync(path);
  try {
    execFileSync('localedef', ['-i', 'zh_CN', '-f', 'GBK', join(path, 'zh_CN.GBK')], { stdio: 'ignore' });
  } catch {
    // localedef is missing, or has printed warnings, which do not matter if it has built the locale.
  }
  return existsSync(join(path, 'zh_CN.GBK')) ? path : null;
}

const path = madeLocale();

where(path !== null, 'localedef, with GBK').it('cannot be passed in to hide a command from the policy', async () => {
  const manager = new LocalTerminalManager({ killGraceMs: 300 });
  const own = [
    { name: 'LC_ALL', value: 'zh_CN.GBK' },
    { name: 'LOCPATH', value: path! },
  ];
  const made = join(directory, 'made');
  const command = `echo "€\\";touch ${made} #"`;
  const run = async (terminals: AcpTerminals) => {
    const { terminalId } = await terminals.createTerminal({ sessionId: 's', command, env: own });
    await terminals.waitForTerminalExit({ sessionId: 's', terminalId });
  };
  const policy = createCommandPolicy({ allow: ['echo'], environment: { others: 'drop' } });
  try {
    await run(new AcpTerminals({ manager, policy, cwd: directory }));
    expect(existsSync(made)).toBe(false);
    const strict = new AcpTerminals({ manager, policy: createCommandPolicy({ allow: ['echo'] }), cwd: directory });
    await expect(run(strict)).rejects.toMatchObject({ details: { rule: 'environment: LC_ALL' } });
    // Shows that the attack works without a policy.
    await run(new AcpTerminals({ manager, cwd: directory }));
    expect(existsSync(made)).toBe(true);
  } finally {
    await manager.shutdown(0);
  }
});
