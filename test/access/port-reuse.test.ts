/**
 * Tests that another user of the machine cannot pass as the owner by having its request judged while its source port
 * passes to the owner's next connection. None of the attacker's requests is served, and all of the owner's are. A
 * server that trusts only the kernel's table proves that the attack works.
 */
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUILD } from '../build.js';
import { DEEP } from '../deep.js';
import { where } from '../where.js';

const ROOT = join(import.meta.dirname, '..', '..');
const ATTACK = join(import.meta.dirname, '..', 'fixtures', 'access', 'port_reuse.py');
/** The system's Python: the two accounts cannot read one installed for root. */
const PYTHON = '/usr/bin/python3';
const OWNER = 12_345;
const STRANGER = 12_346;
const SECONDS = DEEP ? 60 : 10;
/** The attack ends at its first success, which takes a second on an idle machine. */
const MAX_SECONDS_TO_SUCCEED = 90;
/** The start of the server before the attack, and its end. */
const AROUND_S = 80;
/** Fewer would prove nothing; on an idle machine, about 35 are made per second. */
const MIN_TRIES = SECONDS * 3;
/** The check that the table's row belongs to the accepted socket. */
const CERTAINTY = /if ?\(!isConnected\(socket\)\)/;

/** In its own network namespace, because the attack uses nearly all ports. */
const SCRIPT = `
busybox ip link set lo up || exit 9
setpriv --reuid=${OWNER} --regid=${OWNER} --clear-groups -- \
  "$NODE" "$BUILD/cli/main.js" serve --port 3001 --persistent=false --log-level=error --data-dir "$DIRECTORY/data" >&2 &
server=$!
"$PYTHON" "$ATTACK" 3001 ${OWNER} ${STRANGER} "$DIRECTORY" "$SECONDS"
kill "$server"
wait "$server"
`;

const TOOLS = ['unshare', 'setpriv', 'busybox'].map((tool) => spawnSync(tool, ['--help']).error);
const canIsolate = process.getuid?.() === 0 && spawnSync('unshare', ['--net', 'true']).status === 0;
const hasTools = existsSync(PYTHON) && TOOLS.every((error) => error === undefined);
const { it } = where(canIsolate && hasTools, `root, a network namespace of its own, ${PYTHON}, setpriv and busybox`);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tenacitty-ports-'));
  chmodSync(directory, 0o700);
  chownSync(directory, OWNER, OWNER);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

interface Report {
  /** Whether the same request succeeds when the owner sends it. */
  readonly control: boolean;
  readonly tries: number;
  readonly ran: boolean;
  readonly served: number;
  readonly failed: number;
  /** The last request of the owner that failed. */
  readonly problem: string | null;
}

async function attack(build: string, seconds: number): Promise<Report> {
  const own = { HOME: directory, DIRECTORY: directory, BUILD: build, SECONDS: `${seconds}` };
  const env = { PATH: process.env['PATH'], NODE: process.execPath, PYTHON, ATTACK, ...own };
  const { stdout, stderr } = await promisify(execFile)('unshare', ['--net', 'sh', '-c', SCRIPT], { env, cwd: '/' });
  return JSON.parse(stdout.trim() || JSON.stringify({ stderr })) as Report;
}

/** A copy of the build that trusts the table, whatever has happened to the connection. */
function credulousBuild(): string {
  const build = join(directory, 'package', 'dist');
  cpSync(BUILD, build, { recursive: true });
  for (const name of ['package.json', 'node_modules', 'fonts']) {
    symlinkSync(join(ROOT, name), join(directory, 'package', name));
  }
  const names = readdirSync(build, { recursive: true, encoding: 'utf8' }).filter((name) => /\.c?js$/.test(name));
  const checking = names.map((name) => join(build, name)).filter((path) => CERTAINTY.test(readFileSync(path, 'utf8')));
  expect(checking).not.toEqual([]);
  for (const path of checking) writeFileSync(path, readFileSync(path, 'utf8').replace(CERTAINTY, 'if (false)'));
  return build;
}

it(
  `runs nothing for the other user, and serves the owner, for ${SECONDS} s`,
  async () => {
    const report = await attack(BUILD, SECONDS);
    expect(report).toMatchObject({ control: true, ran: false, problem: null, failed: 0 });
    // About twenty per second on an idle machine.
    expect(report.served).toBeGreaterThan(0);
    expect(report.tries).toBeGreaterThan(MIN_TRIES);
  },
  (SECONDS + AROUND_S) * 1000,
);

it(
  'would run what the other user requests if only the socket table were trusted',
  async () => {
    expect(await attack(credulousBuild(), MAX_SECONDS_TO_SUCCEED)).toMatchObject({ control: true, ran: true });
  },
  (MAX_SECONDS_TO_SUCCEED + AROUND_S) * 1000,
);
