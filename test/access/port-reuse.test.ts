/**
 * Another user of the machine tries to be taken for the owner: its request is judged while its source port goes to the
 * owner's next connection. None of its requests is served, and all calls of the owner are. That the attack is one is seen
 * by a server that believes the kernel's table alone.
 */
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUILD } from '../build.js';
import { DEEP } from '../deep.js';
import { where } from '../where.js';

const ROOT = join(import.meta.dirname, '..', '..');
const ATTACK = join(import.meta.dirname, '..', 'fixtures', 'access', 'port_reuse.py');
/** The system's: the two accounts cannot read one that is installed for root. */
const PYTHON = '/usr/bin/python3';
const OWNER = 12_345;
const STRANGER = 12_346;
const SECONDS = DEEP ? 60 : 10;
/** The attack, the start of the server before it and its end. */
const TIMEOUT_MS = (SECONDS + 80) * 1000;
/** Fewer would show nothing; alone some 35 a second are made. */
const MIN_TRIES = SECONDS * 3;
/** What makes sure that the row belongs to the socket that was accepted. */
const CERTAINTY = 'if (!isConnected(socket))';

/** In a network namespace of its own: the attack takes nearly all ports. */
const SCRIPT = `
busybox ip link set lo up || exit 9
setpriv --reuid=${OWNER} --regid=${OWNER} --clear-groups -- \
  "$NODE" "$BUILD/cli/main.js" serve --port 3001 --persistent=false --log-level=error --data-dir "$DIRECTORY/data" >&2 &
server=$!
"$PYTHON" "$ATTACK" 3001 ${OWNER} ${STRANGER} "$DIRECTORY" ${SECONDS}
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
  /** Whether the same request does its work when the owner sends it. */
  readonly control: boolean;
  readonly tries: number;
  readonly ran: boolean;
  readonly served: number;
  readonly failed: number;
  /** The newest answer to the owner that was none. */
  readonly problem: string | null;
}

async function attack(build: string): Promise<Report> {
  const own = { HOME: directory, DIRECTORY: directory, BUILD: build };
  const env = { PATH: process.env['PATH'], NODE: process.execPath, PYTHON, ATTACK, ...own };
  const { stdout, stderr } = await promisify(execFile)('unshare', ['--net', 'sh', '-c', SCRIPT], { env, cwd: '/' });
  return JSON.parse(stdout.trim() || JSON.stringify({ stderr })) as Report;
}

/** The build, but what the table says is believed whatever became of the connection. */
function credulousBuild(): string {
  const build = join(directory, 'package', 'dist');
  cpSync(BUILD, build, { recursive: true });
  for (const name of ['package.json', 'node_modules', 'fonts']) {
    symlinkSync(join(ROOT, name), join(directory, 'package', name));
  }
  const path = join(build, 'access', 'peer-uid.js');
  const source = readFileSync(path, 'utf8');
  expect(source).toContain(CERTAINTY);
  writeFileSync(path, source.replace(CERTAINTY, 'if (false)'));
  return build;
}

it(
  `runs nothing for the stranger, and serves the owner, for ${SECONDS} s`,
  async () => {
    const report = await attack(BUILD);
    expect(report).toMatchObject({ control: true, ran: false, problem: null, failed: 0 });
    // Twenty a second where the machine has nothing else to do.
    expect(report.served).toBeGreaterThan(0);
    expect(report.tries).toBeGreaterThan(MIN_TRIES);
  },
  TIMEOUT_MS,
);

it(
  'would run what the stranger asks for if the table alone were believed',
  async () => {
    expect(await attack(credulousBuild())).toMatchObject({ control: true, ran: true });
  },
  TIMEOUT_MS,
);
