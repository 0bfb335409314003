import { buildEnvironment, type EnvironmentRequest } from './environment.js';

function build(request: Partial<EnvironmentRequest>): Record<string, string> {
  return buildEnvironment({
    inherited: {},
    withheld: [],
    requested: {},
    cwd: '/srv/project',
    terminalId: 'id-1',
    ...request,
  });
}

describe('the environment of a program in a terminal', () => {
  it('names the kind of terminal, and its id', () => {
    expect(build({ inherited: { LANG: 'de_DE.UTF-8', HOME: '/home/a' } })).toEqual({
      LANG: 'de_DE.UTF-8',
      HOME: '/home/a',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      TERM_PROGRAM: 'tenacitty',
      PWD: '/srv/project',
      TENACITTY_TERMINAL_ID: 'id-1',
    });
  });

  it.each([
    ['TMUX', 'STY', 'WINDOWID', 'TERMCAP', 'COLUMNS', 'LINES'],
    ['NOTIFY_SOCKET', 'LISTEN_FDS', 'LISTEN_PID', 'INVOCATION_ID', 'JOURNAL_STREAM', 'CREDENTIALS_DIRECTORY'],
    ['NODE_CHANNEL_FD', 'INIT_CWD', 'npm_config_prefix', 'npm_lifecycle_event', 'TENACITTY_KEY'],
    ['__tenacitty_turn', '__tenacitty_1', 'BASH_FUNC___tenacitty_c%%'],
  ])('does not contain %s and similar variables', (...names) => {
    const env = build({ inherited: Object.fromEntries(names.map((name) => [name, 'x'])) });
    expect(names.filter((name) => name in env)).toEqual([]);
  });

  it('contains variables whose names only start like reserved ones', () => {
    const inherited = { LINESTYLE: 'x', WINDOWS: 'x', MY_TMUX: 'x', NODE_ENV: 'x' };
    expect(build({ inherited })).toMatchObject(inherited);
  });

  it('does not contain the server’s own settings, unless the caller requests one of that name', () => {
    const inherited = { PORT: '3001', HOST: '::1', OTHER: 'kept' };
    const env = build({ inherited, withheld: ['PORT', 'HOST'], requested: { PORT: '8080' } });
    expect(env).toMatchObject({ PORT: '8080', OTHER: 'kept' });
    expect(env).not.toHaveProperty('HOST');
  });

  it('is overridden by the caller’s variables, except for the mark', () => {
    const requested = { TERM: 'dumb', HOME: '/elsewhere', TENACITTY_TERMINAL_ID: 'forged' };
    expect(build({ inherited: { HOME: '/home/a' }, requested: requested })).toMatchObject({
      TERM: 'dumb',
      HOME: '/elsewhere',
      TENACITTY_TERMINAL_ID: 'id-1',
    });
  });

  it('contains a UTF-8 locale if no locale is set', () => {
    expect(build({}).LANG).toMatch(/UTF-8$/);
    expect(build({ inherited: { LANG: '' } }).LANG).toMatch(/UTF-8$/);
    expect(build({ inherited: { LC_ALL: 'C' } })).not.toHaveProperty('LANG');
    expect(build({ requested: { LC_CTYPE: 'C' } })).not.toHaveProperty('LANG');
  });
});

describe('PATH', () => {
  const npmPath =
    '/p/node_modules/.bin:/node_modules/.bin:/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin';
  const ownPath = '/usr/bin:/home/a/tools/node_modules/.bin:/bin';

  it('loses the entries that npm added, and no others', () => {
    const inherited = { PATH: `${npmPath}:${ownPath}`, npm_execpath: '/npm' };
    expect(build({ inherited }).PATH).toBe(ownPath);
  });

  it('is unchanged if npm did not start the server', () => {
    expect(build({ inherited: { PATH: `/p/node_modules/.bin:${ownPath}` } }).PATH).toBe(
      `/p/node_modules/.bin:${ownPath}`,
    );
  });
});
