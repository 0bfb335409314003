/**
 * Another user of the machine tries to be taken for the owner: its request is judged while its source port goes to the
 * owner's next connection. None of its requests is served, and all calls of the owner are.
 */
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MAIN } from '../cli/place.js';
import { DEEP } from '../deep.js';
import { where } from '../where.js';

const ATTACK = join(import.meta.dirname, '..', 'fixtures', 'access', 'port_reuse.py');
const OWNER = 12_345;
const STRANGER = 12_346;
const SECONDS = DEEP ? 60 : 10;
/** The attack, the start of the server before it and its end. */
const TIMEOUT_MS = (SECONDS + 50) * 1000;
/** Fewer would show nothing; alone some 35 a second are made. */
const MIN_TRIES = SECONDS * 3;

/** In a network namespace of its own: the attack takes nearly all ports. */
const SCRIPT = `
busybox ip link set lo up || exit 9
setpriv --reuid=${OWNER} --regid=${OWNER} --clear-groups -- \
  "$NODE" "$MAIN" serve --port 3001 --persistent=false --log-level=error --data-dir "$DIRECTORY/data" >&2 &
server=$!
python3 "$ATTACK" 3001 ${OWNER} ${STRANGER} "$DIRECTORY" ${SECONDS}
kill "$server"
wait "$server"
`;

const canIsolate = process.getuid?.() === 0 && spawnSync('unshare', ['--net', 'true']).status === 0;
const { it } = where(canIsolate, 'root and a network namespace of its own');

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tenacitty-ports-'));
  chmodSync(directory, 0o700);
  chownSync(directory, OWNER, OWNER);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

interface Report {
  readonly tries: number;
  readonly ran: boolean;
  readonly served: number;
  readonly failed: number;
}

it(
  `runs nothing for the stranger, and serves the owner, for ${SECONDS} s`,
  async () => {
    const env = {
      PATH: process.env['PATH'],
      HOME: directory,
      DIRECTORY: directory,
      NODE: process.execPath,
      MAIN,
      ATTACK,
    };
    const { stdout, stderr } = await promisify(execFile)('unshare', ['--net', 'sh', '-c', SCRIPT], { env, cwd: '/' });
    const report = JSON.parse(stdout.trim() || JSON.stringify({ stderr })) as Report;
    expect(report).toMatchObject({ ran: false, failed: 0 });
    expect(report.served).toBeGreaterThan(SECONDS);
    expect(report.tries).toBeGreaterThan(MIN_TRIES);
  },
  TIMEOUT_MS,
);
