/** Tries the recipes of docs/hooks.md, with programs in place of those that would contact the outside. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { Place } from '../cli/place.js';
import { whereLinux } from '../where.js';

const DOCUMENT = readFileSync('docs/hooks.md', 'utf8');

/** The commands below a heading. */
function recipe(title: string): string {
  const section = DOCUMENT.split(/^###? /m).find((each) => each.startsWith(`${title}\n`));
  return /```sh\n([^]*?)```/.exec(section ?? '')![1]!;
}

const { it: onLinux } = whereLinux();

let place: Place;
beforeEach(async () => {
  place = await new Place().ready();
  mkdirSync(join(place.directory, 'bin'));
});
afterEach(() => place.close());

const file = (name: string) => join(place.directory, name);

/** A program that writes down its arguments and its stdin. */
function stub(name: string): void {
  const readsStdin = name === 'curl' ? 'case " $* " in *" @- "*) cat ;; esac' : ':';
  const script = `#!/bin/sh\n{ printf '%s\\n' "$@"; ${readsStdin}; } >${file('part')}\nmv ${file('part')} ${file('called')}\n`;
  writeFileSync(file(`bin/${name}`), script);
  chmodSync(file(`bin/${name}`), 0o700);
}

async function follow(script: string): Promise<void> {
  const env = { PATH: `${file('bin')}:${place.env['PATH']}` };
  const server = place.start(['serve'], { stdin: null, env });
  await server.says(/is at http[^]*Stop/, 'stderr');
  const { code, stderr } = await place.runInShell(`tenacitty() { "$node" "$main" "$@"; }; ${script}`);
  if (code !== 0) throw new Error(stderr);
}

async function called(): Promise<string> {
  await eventually(() => existsSync(file('called')));
  return readFileSync(file('called'), 'utf8');
}

async function runIn(name: string, command: string): Promise<void> {
  const id = await place.create({ shell: 'bash', name });
  await place.manager.exec(id, { command });
}

it('notifies the desktop', async () => {
  stub('notify-send');
  await follow(recipe('A desktop notification').replace('30s', '0s'));
  await runIn('web', 'echo hello');
  expect(await called()).toMatch(/^tenacitty\nweb: echo hello: exit code 0 after 0s\n$/);
});

it('notifies a phone', async () => {
  stub('curl');
  await follow(recipe('A push notification with ntfy'));
  await place.ended('exit 3', { name: 'job' });
  expect(await called()).toBe('-s\n-d\njob: has ended: exit code 3\nhttps://ntfy.sh/YOUR_TOPIC\n');
});

it('writes to Slack', async () => {
  stub('curl');
  await follow(recipe('A message in Slack'));
  await runIn('web', 'true');
  await runIn('api', 'false');
  const [, body] = /services\/T0\/B0\/x\n([^]*)/.exec(await called())!;
  expect(JSON.parse(body!)).toEqual({ text: expect.stringMatching(/^api: false: exit code 1/) });
});

onLinux('answers a question', async () => {
  stub('curl');
  await follow(recipe('An answer to a question'));
  const id = await place.open('read -r line; echo "got $line"', { name: 'web' });
  const call = await called();
  expect(call).toContain(`http://localhost:3001/api/terminals/${id}/answer\n`);
  const answer = JSON.parse(/answer\n([^]*)/.exec(call)![1]!) as { waiting: string; text: string };
  await place.manager.answer(id, answer);
  await place.until(id, /got yes/);
});

it('starts CI', async () => {
  stub('curl');
  writeFileSync(file('.github-token'), 'token');
  await follow(recipe('CI'));
  await runIn('other', 'true');
  await runIn('build', 'true');
  const call = await called();
  expect(call).toContain('Authorization: Bearer token\n');
  const [, body] = /dispatches\n([^]*)/.exec(call)!;
  expect(JSON.parse(body!)).toMatchObject({
    event_type: 'build',
    client_payload: { text: expect.stringMatching(/^build/) },
  });
});

it('wakes whoever waits', async () => {
  const id = await place.open('read line; echo ready in 3 s; read line', { name: 'web' });
  const [first, second] = recipe('Waking Claude Code').trim().split('\n') as [string, string];
  const run = (line: string) => place.runInShell(`tenacitty() { "$node" "$main" "$@"; }; ${line}`);
  expect((await run(first)).stderr).toContain('is waiting for input');
  const waiting = run(second);
  await eventually(async () => (await place.manager.summary()).waitingReads > 0);
  await place.stdout('send', id, 'x');
  expect((await waiting).code).toBe(0);
});
