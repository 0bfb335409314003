/**
 * Records captures: `npx tsx test/captures/record.ts NAME…`. Run it by hand, as root on Debian with the programs
 * installed; the tests only need its output.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { hostname, userInfo } from 'node:os';
import { allBytes, screenUntil, startEngine, stopEngines } from '../engine/engine-under-test.js';
import { CAPTURE_SIZE, writeCapture } from './capture.js';
import { SCENES } from './capture-scripts.js';
import type { RecordedTerminal, CaptureScript } from './capture-scripts.js';

/** A path without a user name, because programs print where they are. */
const STAGE = '/tmp/example';
const BASH = ['bash', '--norc'] as const;
const MAX_BYTES = 200_000;

const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
/** What a recorded program sees of this machine: where programs are, and where packages come from. */
const ENVIRONMENT = {
  HOME: STAGE,
  PS1: '$ ',
  LANG: 'C.UTF-8',
  CARGO_HOME: `${STAGE}/.cargo`,
  NPM_CONFIG_REGISTRY: registry,
};

function forgetEnvironment(): void {
  for (const name of Object.keys(process.env)) if (name !== 'PATH') delete process.env[name];
  process.env['PATH'] = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';
}

async function record(scene: CaptureScript): Promise<Buffer> {
  rmSync(STAGE, { recursive: true, force: true });
  mkdirSync(STAGE);
  scene.prepare?.(STAGE);
  const manager = startEngine();
  const [command, ...args] = scene.command ?? BASH;
  const env = { ...ENVIRONMENT, ...scene.env };
  const { id } = await manager.create({ command, args, env, cwd: STAGE, ...CAPTURE_SIZE });
  const recorded = allBytes(manager, id);
  const desk: RecordedTerminal = {
    type: (input) => manager.write(id, { input }),
    press: (...keys) => manager.write(id, { keys }),
    sees: async (pattern) => void (await screenUntil(manager, id, (screen) => pattern.test(shown(screen.lines)))),
  };
  await scene.act?.(desk);
  const bytes = await recorded;
  rmSync(STAGE, { recursive: true });
  return bytes;
}

/** The screen without empty rows at its end, so that a pattern can match the last row. */
function shown(lines: readonly string[]): string {
  return lines.join('\n').trimEnd();
}

/** Returns why these bytes must not be kept, or undefined. */
function objection(bytes: Buffer): string | undefined {
  if (bytes.length > MAX_BYTES) return `${bytes.length} bytes are too many`;
  const words = bytes.toString('latin1').split(/[^\w./-]+/);
  const secrets = [hostname(), userInfo().homedir, process.cwd(), new URL(registry).host];
  const told = secrets.find((secret) => words.some((word) => word === secret || word.includes(`${secret}/`)));
  return told && `it names ${told}`;
}

forgetEnvironment();
for (const name of process.argv.slice(2)) {
  const scene = SCENES[name];
  if (scene === undefined) throw new Error(`no scene ${name}; there are ${Object.keys(SCENES).join(', ')}`);
  const bytes = await record(scene);
  const why = objection(bytes);
  if (why !== undefined) throw new Error(`${name} is not kept: ${why}`);
  writeCapture(name, bytes);
  process.stderr.write(`${name}: ${bytes.length} bytes\n`);
}
await stopEngines();
