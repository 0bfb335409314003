/**
 * Tests real programs that ask for input, run by `exec` in a bash: what is reported about each, how it is answered, and
 * how it ends.
 */
import { join } from 'node:path';
import type { CommandResult, InputWait } from '../../src/contract/command.js';
import { startEngine, stopEngines } from '../engine/engine-under-test.js';
import { startPostgresServer } from './postgres-server.js';
import { expectEnd, ShellAtWork } from './shell-at-work.js';
import { startSshServer } from './ssh-server.js';
import { whereRoot } from '../where.js';

const { it: itAsRoot } = whereRoot();
/** Longer than the silence after which a program that reads its terminal is reported as waiting. */
const SURELY_WORKING_MS = 4000;

let at: ShellAtWork;
beforeEach(async () => {
  at = new ShellAtWork(startEngine(), 'bash');
  await at.start({ env: { EDITOR: 'vim -u NONE -i NONE', LANG: 'C.UTF-8' } });
});
afterEach(async () => {
  await at.end();
  await stopEngines();
});

/** Checks what is reported about a program that waits. */
function expectAsked(result: CommandResult, kind: InputWait['kind'], by: string | RegExp, certain: boolean): void {
  const name: unknown = typeof by === 'string' ? by : expect.stringMatching(by);
  expect(result).toMatchObject({ completed: false, exitCode: null, waiting: { kind, by: name, certain } });
}

/** Answers a command's question; resolves with its end. */
async function answer({ commandId }: CommandResult, input: string): Promise<CommandResult> {
  await at.type(input);
  return at.collect(commandId, { untilInput: false });
}

async function makeRepository(): Promise<void> {
  at.put('.gitconfig', '[user]\n\tname = Somebody\n\temail = somebody@example.org\n');
  expectEnd(await at.exec('git init -q . && echo one > file && git add file'), 0, '');
}

describe('git', () => {
  beforeEach(makeRepository);

  it('commits with the message written in its editor', async () => {
    const asked = await at.exec('git commit');
    expectAsked(asked, 'program', 'vim', false);
    expect(asked.fullScreen).toBe(true);
    expectEnd(await answer(asked, 'iThe first of all\x1b:wq\r'), 0, /1 file changed/);
    expectEnd(await at.exec('git log --format=%s'), 0, 'The first of all');
  });

  it('commits nothing if its editor fails', async () => {
    const asked = await at.exec('git commit');
    expectAsked(asked, 'program', 'vim', false);
    expectEnd(await answer(asked, ':cq\r'), 1);
  });

  it('asks for each change whether to add it', async () => {
    expectEnd(await at.exec('git commit -qm one && echo two >> file && echo new > other && git add -N other'), 0);
    const first = await at.exec('git add -p');
    expectAsked(first, 'line', 'git', true);
    expect(first.output).toMatch(/Stage .*\?/);
    await at.type('y\r');
    const second = await at.collect(first.commandId, { untilInput: true });
    expectAsked(second, 'line', 'git', true);
    expectEnd(await answer(second, 'n\r'), 0);
    expectEnd(await at.exec('git diff --cached --name-only'), 0, 'file');
  });
});

describe('an interactive program', () => {
  it('can be less, after a pipe', async () => {
    const asked = await at.exec('seq 1000 | less; exit_code=$?; (exit $exit_code)');
    expectAsked(asked, 'program', 'less', true);
    expectEnd(await answer(asked, 'q'), 0);
  });

  it('can be vim', async () => {
    const asked = await at.exec('$EDITOR note.txt');
    expectAsked(asked, 'program', 'vim', false);
    expectEnd(await answer(asked, ':cq 3\r'), 3);
  });

  it('can be nano', async () => {
    const asked = await at.exec('nano note.txt');
    expectAsked(asked, 'program', 'nano', true);
    expect(asked.fullScreen).toBe(true);
    await at.type('Written by hand\x0f\r');
    await at.screenShows((lines) => lines.some((line) => /Wrote 1 line/.test(line)));
    expectEnd(await answer(asked, '\x18'), 0);
    expectEnd(await at.exec('cat note.txt'), 0, 'Written by hand');
  });

  it('can be whiptail', async () => {
    const asked = await at.exec('whiptail --yesno "Really?" 10 40');
    expectAsked(asked, 'program', 'whiptail', false);
    expectEnd(await answer(asked, '\t\r'), 1);
  });

  it('can be sqlite3', async () => {
    const asked = await at.exec('sqlite3 -interactive :memory:');
    expectAsked(asked, 'program', 'sqlite3', false);
    await at.type('select 6 * 7;\r');
    await at.shows(/^42$/m);
    expectEnd(await answer(asked, '.exit 4\r'), 4, /^42$/m);
  });

  it('can be psql, after its password', async () => {
    const server = await startPostgresServer(at.directory);
    try {
      const asked = await at.exec('psql -h "$PWD" -U somebody things');
      expectAsked(asked, 'password', 'psql', true);
      expect(asked.output).toBe('Password for user somebody: ');
      await at.type('secret\r');
      const prompt = await at.collect(asked.commandId, { untilInput: true });
      expectAsked(prompt, 'program', 'psql', false);
      expect(prompt.output).toMatch(/^things=. $/m);
      await at.type('\\echo six times :seven\r');
      await at.shows(/^six times :seven$/m);
      expectEnd(await answer(asked, '\\q\r'), 0);
    } finally {
      server.stop();
    }
  });

  it('can be a development server with keys: it listens, and is not reported as blocked', async () => {
    const serve =
      `const server = require('http').createServer().listen(0, () => console.log('ready, press q to quit')); ` +
      `process.stdin.setRawMode(true).on('data', (key) => { if (String(key) === 'q') process.exit(6); })`;
    const asked = await at.exec(`node -e "${serve}"`);
    expectAsked(asked, 'program', 'node', false);
    expect(asked.output).toBe('ready, press q to quit');
    expectEnd(await answer(asked, 'q'), 6);
  });

  it('can be npm init, without a network', async () => {
    const asked = await at.exec('npm init --offline --no-update-notifier');
    expectAsked(asked, 'program', /^n(pm|ode)/, false);
    expect(asked.output).toMatch(/package name: /);
    await at.type('made-here\r');
    const questions = ['version', 'description', 'entry point', 'test command', 'git repository', 'keywords', 'author'];
    for (const question of [...questions, 'license']) await enterAt(new RegExp(`^${question}: `, 'm'));
    // Newer versions also ask for the kind of modules.
    if ((await enterAt(/^(type: |Is this OK\?)/m)).endsWith('type: ')) await enterAt(/^Is this OK\?/m);
    expectEnd(await at.collect(asked.commandId, { untilInput: false }), 0);
    expectEnd(await at.exec(`node -p 'require("./package.json").name'`), 0, 'made-here');
  });

  /** Accepts the default once it is asked for; returns the question. */
  async function enterAt(question: RegExp): Promise<string> {
    const text = await at.shows(question);
    await at.type('\r');
    return question.exec(text)![0];
  }
});

describe('a question', () => {
  it('of python is a wait for a line', async () => {
    const asked = await at.exec(`python3 -c 'name = input("Who? "); print("Hello", name); exit(len(name))'`);
    expectAsked(asked, 'line', 'python3', true);
    expectEnd(await answer(asked, 'Bob\r'), 3, 'Who? Bob\nHello Bob');
  });

  it('of python for a password is a wait for a password', async () => {
    const asked = await at.exec(`python3 -c 'import getpass; exit(len(getpass.getpass()))'`);
    expectAsked(asked, 'password', 'python3', true);
    expectEnd(await answer(asked, 'secret\r'), 6, /^Password:/);
  });

  itAsRoot('of apt-get is a wait for a line', async () => {
    const asked = await at.exec('apt-get -o Debug::NoLocking=true remove htop');
    expectAsked(asked, 'line', 'apt-get', true);
    expect(asked.output).toMatch(/\[Y\/n\]/);
    expectEnd(await answer(asked, 'n\r'), 1, /Abort/);
    expectEnd(await at.exec('test -x "$(command -v htop)"'), 0);
  });

  itAsRoot('of su is a wait for a password', async () => {
    const asked = await at.exec(`su nobody -s /bin/sh -c 'su root -c true'`);
    expectAsked(asked, 'password', 'su', true);
    expectEnd(await answer(asked, 'wrong\r'), 1, /Authentication failure/);
  });

  itAsRoot('of sudo is a wait for a password', async () => {
    const asked = await at.exec('setpriv --reuid=65534 --regid=65534 --clear-groups sudo -k true');
    expectAsked(asked, 'password', 'sudo', true);
    expectEnd(await answer(asked, '\x03'), 1);
  });

  itAsRoot('of ssh is reported; a remote question is not, but can be answered', async () => {
    const server = await startSshServer();
    try {
      const asked = await at.exec(`ssh -t -i ${server.key} ${server.to.join(' ')} 'echo there; read x; exit $x'`);
      expectAsked(asked, 'line', 'ssh', true);
      await at.type('yes\r');
      await at.shows(/^there/m);
      const far = await at.manager.collect(at.id, asked.commandId, { timeoutMs: SURELY_WORKING_MS });
      expect(far).toMatchObject({ completed: false, state: 'running', waiting: null });
      expectEnd(await answer(asked, '7\r'), 7);
    } finally {
      server.stop();
    }
  });
});

describe('a program that only seems to wait', () => {
  it.each([
    ['computes', 'while not os.path.exists("go"): sum(range(9999))'],
    ['sleeps', 'while not os.path.exists("go"): time.sleep(0.05)'],
  ])('prints "collecting ..." and %s', async (_what, work) => {
    const script = `import os, time\nprint("collecting ... ", end="", flush=True)\n${work}\nprint("0 items"); exit(5)`;
    const { commandId } = await at.begin(`python3 -c '${script}'`, /^collecting \.\.\./m);
    const result = await at.manager.collect(at.id, commandId, { timeoutMs: SURELY_WORKING_MS, untilInput: true });
    expect(result).toMatchObject({ completed: false, state: 'running', waiting: null });
    at.put('../go', '');
    expectEnd(await at.collect(result.commandId), 5, 'collecting ... 0 items');
  });

  it('draws several bars, with pauses in between', async () => {
    const rest =
      `const { stdout } = process; const write = stdout.write.bind(stdout); let frames = 0; ` +
      `const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms); ` +
      `stdout.write = (text) => { write(text); sleep(++frames === 20 ? ${SURELY_WORKING_MS} : 5); };`;
    const bars = at.put('../bars.cjs', rest);
    const result = await at.exec(
      `node --require "${bars}" "${join(import.meta.dirname, '../captures/multi-bar.mjs')}"`,
    );
    expectEnd(result, 0, /^latest: Pulling[^]*(?:[0-9a-f]{12}: Pull complete\n){5}Status: Downloaded/);
    expect(result.durationMs).toBeGreaterThan(SURELY_WORKING_MS);
  });

  it('redraws the progress of many layers repeatedly', async () => {
    const script =
      `import sys, time\nlayers = 12\nprint("\\n" * (layers - 1))\n` +
      `for done in range(101):\n  sys.stdout.write("\\x1b[%dA" % layers)\n` +
      `  for layer in range(layers): print("\\x1b[2Klayer %d: %s %d%%" % (layer, "=" * (done // 5), done))\n` +
      `  sys.stdout.flush(); time.sleep(0.005)\nexit(9)`;
    at.put('../pull.py', script);
    const layers = Array.from({ length: 12 }, (_, layer) => `layer ${layer}: ${'='.repeat(20)} 100%`);
    expectEnd(await at.exec('python3 pull.py'), 9, layers.join('\n'));
  });
});
