/** Tests `tenacitty acp run` under a policy with `ask` rules: the person at the keyboard is asked. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import type { Program } from '../pty/program.js';
import { AGENT } from './scripted.js';

let place: Place;
let policy: string;
let made: string;
beforeEach(async () => {
  place = await sharedPlace();
  policy = join(place.directory, 'policy.json');
  made = join(place.directory, 'made');
  writeFileSync(policy, JSON.stringify({ allow: ['seq'], ask: ['touch **'] }), { mode: 0o600 });
});
afterEach(() => place.clear());

const touch = () => ({ run: { command: 'touch', args: ['made'] } });
const env = () => ({ TENACITTY_COMMAND_POLICY_FILE: policy });

async function asked(...steps: object[]): Promise<Program> {
  const program = place.inTerminal(['acp', 'run', '--cwd', place.directory, '--', ...AGENT], env());
  await program.until(/> [^>]*$/);
  program.type(`${JSON.stringify(steps)}\r`);
  await program.until(/2[^\n]* Reject\r?\n/);
  return program;
}

/** Matches where an answer is expected. */
const ASKS = /1–2, then Enter: /;

it('asks, and a number allows the command', async () => {
  const program = await asked(touch());
  expect(existsSync(made)).toBe(false);
  await program.until(ASKS);
  program.type('1\r');
  await program.until(/\[0 0\]/);
  expect(existsSync(made)).toBe(true);
});

/** The text on the terminal, without escape sequences. */
const plain = ({ output }: Program) => output.replace(/\x1b\[[\d;?]*[A-Za-z]/g, '').replaceAll('\r', '');

it('shows the whole command, its directory and the reason', async () => {
  const filler = `${'seq 1; '.repeat(60)}seq 2`;
  const program = await asked({ run: { command: `${filler}\ntouch made` } });
  const text = plain(program).replaceAll('\n  ┊ ', '');
  expect(text).toContain(`  │ ${filler}\n  │ touch made\n  in ${place.directory}\n`);
  expect(text).toContain('  because of ask: touch **\n  1 Allow once\n');
  await program.until(ASKS);
  program.type('2\r');
  await program.until(/→[^]*Reject/);
});

it('shows text after many blanks, directly above the answers', async () => {
  const program = await asked({ run: { command: `seq 1;${' '.repeat(19_500)}touch made` } });
  expect(plain(program)).toContain('? Run this?\n  │ seq 1; ␠×19500 touch made\n');
  await program.until(ASKS);
  program.type('2\r');
  await program.until(/→[^]*Reject/);
});

it('refuses a command that is too long to show, without waiting for a key', async () => {
  const program = await asked({ run: { command: `${'seq 1; '.repeat(4000)}touch made` } });
  await program.until(/rejected, because it does not fit/);
  await program.until(/→[^]*Reject/);
  expect(existsSync(made)).toBe(false);
});

it('does not run what the person refuses', async () => {
  const program = await asked(touch());
  await program.until(ASKS);
  program.type('2\r');
  await program.until(/→[^]*Reject/);
  program.type('/quit\r');
  expect(await program.exited).toMatchObject({ exitCode: 0 });
  expect(existsSync(made)).toBe(false);
});

it('reports that the time limit ended a command', async () => {
  writeFileSync(policy, JSON.stringify({ timeLimitMs: 1500 }), { mode: 0o600 });
  const prompt = JSON.stringify([{ run: { command: 'sleep', args: ['1000'] } }]);
  const end = async (...flags: string[]) => {
    const args = ['acp', 'run', '--cwd', place.directory, '--prompt', prompt, ...flags];
    return (await place.start([...args, '--', ...AGENT], { env: env() }).ended()).stdout;
  };
  expect(await end()).toContain('└ SIGTERM (time limit of the policy: 1.5 s)\n');
  expect(await end('--json')).toContain('"signal":"SIGTERM","timeLimitMs":1500}\n');
});

it('shows that there is a policy, and its file', async () => {
  const once = (...flags: string[]) => {
    const args = ['acp', 'run', '--cwd', place.directory, '--prompt', '[]', ...flags];
    return place.start([...args, '--', ...AGENT], { env: env() }).ended();
  };
  expect((await once()).stdout).toMatch(`policy ${policy} defines what may run\n`);
  expect((await once('--json')).stdout).toMatch(/^{"type":"policy","file":"[^"]*policy.json"}\n{"type":"agent"/);
});

it('refuses without a keyboard, except with --yes', async () => {
  const once = (...flags: string[]) => {
    const args = ['acp', 'run', '--cwd', place.directory, '--prompt', JSON.stringify([touch()]), ...flags];
    return place.start([...args, '--', ...AGENT], { env: env() }).ended();
  };
  const { stdout } = await once();
  expect(stdout).toContain('! Not run: touch made may not be run here (ask: touch **): no approver is available\n');
  expect(existsSync(made)).toBe(false);
  await once('--yes');
  expect(existsSync(made)).toBe(true);
});
