/**
 * Tests variables that make shells and interpreters run something by themselves: under an allow list, no terminal may
 * be created with one and no line may set one, unless the policy names it.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVALUATED } from './evaluated-variables.js';
import { outcomesIn } from './policy-outcome.js';

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-policy-')));
afterAll(() => rmSync(directory, { recursive: true }));

const { request, outcome, line } = outcomesIn(directory);
const ALLOW = { allow: ['git', 'ls'] };
const ALL = Object.values(EVALUATED).flat();

describe('under an allow list', () => {
  it.each(Object.entries(EVALUATED))('nothing is created with a variable that %s evaluate', async (_who, names) => {
    const told = names.map(async (name) => [name, await outcome(ALLOW, request('git', [], { env: { [name]: 'x' } }))]);
    expect(await Promise.all(told)).toEqual(names.map((name) => [name, `environment: ${name}`]));
  });

  it('a shell is not created with one either', async () => {
    const shells = { allow: ['git', 'bash'] };
    const told = ALL.map(async (name) => [
      name,
      await outcome(shells, request('bash', ['-i'], { env: { [name]: 'x' } })),
    ]);
    expect((await Promise.all(told)).filter(([, rule]) => rule === 'allowed')).toEqual([]);
  });

  it('no line passes one on', async () => {
    const names = ALL.filter((name) => /^\w+$/.test(name));
    const told = names.flatMap((name) =>
      [`${name}=x git status`, `export ${name}=x; git status`, `env ${name}=x git status`].map(async (text) => [
        text,
        await line(ALLOW, text),
      ]),
    );
    expect((await Promise.all(told)).filter(([, rule]) => rule === 'allowed')).toEqual([]);
  });

  it('a variable that the policy names is passed', async () => {
    const environment = { allow: ['EDITOR'] };
    expect(await outcome({ ...ALLOW, environment }, request('git', [], { env: { EDITOR: 'ed' } }))).toBe('allowed');
  });
});
