import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InputIssue, TerminalError } from '../errors.js';
import { resolveLaunch, type LaunchPlan, type LaunchDefaults, type LaunchRequest } from './launch.js';

const DEFAULTS: LaunchDefaults = { defaultShell: '', maxEnvBytes: 1000, withheldEnv: [], terminalId: 'id-1' };

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'launch-'));
  mkdirSync(join(directory, 'bin'));
  writeScript('bin/tool', '#!/bin/sh\n');
  writeScript('bin/orphan', '#!/no/such/interpreter -x\n');
  writeScript('bin/plain', 'echo no shebang\n');
  writeScript('bin/data', 'not a program', 0o644);
  symlinkSync('/no/such/file', join(directory, 'bin/dangling'));
});

afterAll(() => rmSync(directory, { recursive: true }));

function writeScript(name: string, text: string, mode = 0o755): void {
  writeFileSync(join(directory, name), text);
  chmodSync(join(directory, name), mode);
}

function launch(request: LaunchRequest, defaults: Partial<LaunchDefaults> = {}): LaunchPlan {
  return resolveLaunch({ cwd: directory, ...request }, { ...DEFAULTS, ...defaults });
}

function refusal(request: LaunchRequest, defaults: Partial<LaunchDefaults> = {}): TerminalError {
  try {
    launch(request, defaults);
  } catch (error) {
    return error as TerminalError;
  }
  throw new Error('was accepted');
}

function issueOf(error: TerminalError): InputIssue {
  expect(error.code).toBe('INVALID_INPUT');
  return (error.details.issues as InputIssue[])[0]!;
}

describe('the program', () => {
  it('is searched for in the PATH that the program will have', () => {
    const env = { PATH: `/nowhere:${directory}/bin` };
    expect(launch({ command: 'tool', args: ['a b', ''], env })).toMatchObject({
      file: join(directory, 'bin/tool'),
      args: ['a b', ''],
      cwd: directory,
    });
    expect(launch({ shell: 'tool', env }).file).toBe(join(directory, 'bin/tool'));
  });

  it('may be relative to the directory in which it starts', () => {
    expect(launch({ command: './bin/tool' }).file).toBe(join(directory, 'bin/tool'));
    expect(launch({ command: 'tool', env: { PATH: 'bin' } }).file).toBe(join(directory, 'bin/tool'));
  });

  it('may be a script without an interpreter line', () => {
    expect(launch({ command: 'bin/plain' }).file).toBe(join(directory, 'bin/plain'));
  });

  it.each([
    ['does not exist', { command: '/no/such/program' }, 'command', 'does not exist'],
    ['is not on PATH', { command: 'no-such-program' }, 'command', 'is not on PATH'],
    ['is a shell that does not exist', { shell: '/no/such/shell' }, 'shell', 'does not exist'],
    ['is a directory', { command: './bin' }, 'command', 'is a directory'],
    ['is a device', { command: '/dev/null' }, 'command', 'is not a regular file'],
    ['is not executable', { command: 'bin/data' }, 'command', 'is not executable'],
    ['is a dangling link', { command: 'bin/dangling' }, 'command', 'does not exist'],
    ['has no interpreter', { shell: 'bin/orphan' }, 'shell', 'needs the interpreter "/no/such/interpreter"'],
    ['is in a home directory written ~', { command: '~/x' }, 'command', '~ is not expanded'],
  ])('is refused with its name when it %s', (_what, request, field, message) => {
    const issue = issueOf(refusal(request));
    expect(issue.field).toBe(field);
    expect(issue.given).toBe(Object.values(request)[0]);
    expect(issue.message).toContain(message);
    expect(issue.expected).toBeTruthy();
  });

  it('is reported as not executable if PATH contains only such a file', () => {
    const issue = issueOf(refusal({ command: 'data', env: { PATH: `${directory}/bin` } }));
    expect(issue.message).toContain('is not executable');
  });

  it('is refused if its arguments exceed the limit of the system', () => {
    expect(issueOf(refusal({ command: 'bin/tool', args: ['x', 'y'.repeat(131_072)] })).field).toBe('args[1]');
    const many = Array.from({ length: 17 }, () => 'y'.repeat(130_000));
    expect(issueOf(refusal({ command: 'bin/tool', args: many })).field).toBe('args');
  });
});

describe('the default shell', () => {
  it('is the configured one', () => {
    expect(launch({}, { defaultShell: join(directory, 'bin/tool') }).file).toBe(join(directory, 'bin/tool'));
  });

  it('is refused if it cannot be used', () => {
    const issue = issueOf(refusal({}, { defaultShell: '/no/such/shell' }));
    expect(issue).toMatchObject({ field: 'shell', message: expect.stringContaining('the default shell') });
    expect(issue).not.toHaveProperty('given');
  });

  it('is otherwise a shell of the system, started without arguments', () => {
    expect(launch({})).toMatchObject({ file: expect.stringMatching(/sh$/), args: [] });
  });
});

describe('the directory', () => {
  it('is the server’s own by default, and relative to it', () => {
    expect(resolveLaunch({}, DEFAULTS).cwd).toBe(process.cwd());
    expect(resolveLaunch({ cwd: 'src/..' }, DEFAULTS).cwd).toBe(process.cwd());
    expect(launch({ cwd: `${directory}/bin/../bin/` })).toMatchObject({
      cwd: join(directory, 'bin'),
      env: { PWD: join(directory, 'bin') },
    });
  });

  it.each([
    ['does not exist', '/no/such/directory', 'does not exist'],
    ['is a file', '/etc/passwd', 'is not a directory'],
    ['is below a file', '/etc/passwd/x', 'does not exist'],
    ['is written ~', '~', '~ is not expanded'],
  ])('is refused with its name when it %s', (_what, cwd, message) => {
    expect(issueOf(refusal({ cwd }))).toMatchObject({
      field: 'cwd',
      given: cwd,
      message: expect.stringContaining(message),
    });
  });
});

describe('the environment', () => {
  it('is refused if the caller’s part exceeds the limit, which is named', () => {
    expect(launch({ env: { A: 'x'.repeat(997) } }).env.A).toHaveLength(997);
    const error = refusal({ env: { A: 'x'.repeat(998) } });
    expect(error.code).toBe('LIMIT_REACHED');
    expect(error.details).toEqual({ limit: 'TENACITTY_MAX_ENV_BYTES', value: 1000 });
  });

  it('is refused if one variable is longer than the system accepts', () => {
    const error = refusal({ env: { BIG: 'x'.repeat(131_072) } }, { maxEnvBytes: 1 << 20 });
    expect(issueOf(error).field).toBe('env.BIG');
  });

  it.each(['__tenacitty_turn', '__tenacitty', 'BASH_FUNC___tenacitty_c%%'])(
    'is refused if it contains the name %s',
    (name) => {
      const error = refusal({ env: { [name]: 'x' } });
      expect(error.code).toBe('INVALID_INPUT');
      expect(issueOf(error)).toMatchObject({ field: `env.${name}`, expected: 'a name without __tenacitty' });
    },
  );

  it('contains the terminal’s mark and not the server’s settings', () => {
    process.env.LAUNCH_TEST_SETTING = 'secret';
    try {
      const { env } = launch({}, { withheldEnv: ['LAUNCH_TEST_SETTING'] });
      expect(env).toMatchObject({ TENACITTY_TERMINAL_ID: 'id-1', TERM: 'xterm-256color' });
      expect(env).not.toHaveProperty('LAUNCH_TEST_SETTING');
    } finally {
      delete process.env.LAUNCH_TEST_SETTING;
    }
  });
});
