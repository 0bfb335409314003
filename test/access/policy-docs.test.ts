/** Tests docs/policy.md: commands are judged as its tables say, and each field is documented. */
import { readFileSync } from 'node:fs';
import { createCommandPolicy } from '../../src/access/policy/create-command-policy.js';
import { commandPolicyDescription } from '../../src/access/policy/policy-description.js';
import type { CommandPolicyDescription } from '../../src/access/policy/policy-description.js';
import { TerminalError } from '../../src/errors.js';

const document = readFileSync('docs/policy.md', 'utf8');

/** Each policy on the page, with the rows of the table that follows it. */
const examples = [...document.matchAll(/^```json\n([^]*?)\n```\n\n((?:\|.*\n)+)/gm)].flatMap(([, policy, table]) =>
  [...table!.matchAll(/^\| `(.+)` \| (.+) \|$/gm)].map(([, line, outcome]) => ({
    policy: JSON.parse(policy!) as CommandPolicyDescription,
    line: line!.replaceAll('\\|', '|'),
    outcome: outcome!,
  })),
);

it('contains examples', () => {
  expect(examples.length).toBeGreaterThan(20);
});

it.each(examples)('states the decision for $line: $outcome', async ({ policy, line, outcome }) => {
  const request = { door: 'library', command: line, args: null, cwd: '/', env: {}, shell: 'bash' };
  const permit = createCommandPolicy(policy, { path: '/usr/bin:/bin' }).permit(request);
  const told = await permit.then(
    () => 'allowed',
    (error: unknown) => (error instanceof TerminalError ? error.details['rule'] : error),
  );
  expect(told).toBe(outcome);
});

it('contains every field', () => {
  const fields = [...document.matchAll(/^\| `(\w+)` \| /gm)].map(([, name]) => name);
  expect(fields).toEqual(Object.keys(commandPolicyDescription.shape));
});
