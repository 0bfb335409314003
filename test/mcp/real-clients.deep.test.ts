/**
 * Tests agents from npm, each with a scripted model and without a network, with the MCP server as `tenacitty mcp
 * install` configures it: whatever a command prints and asks for, the model is told how it ended.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CAN_ISOLATE, isolated } from '../agents/agent-place.js';
import type { ModelStep } from '../agents/conversation.js';
import { ModelServer } from '../agents/model-server.js';
import { RunningCommand, Place } from '../cli/place.js';
import { eventually } from '../eventually.js';
import { where } from '../where.js';
import { CLIENTS, programOf } from './real-client.js';
import type { RealClient } from './real-client.js';

const LAUNCHER = join(import.meta.dirname, 'client-launcher.mjs');
/** A client starts within seconds, and the script has eleven calls. */
const TIME_LIMIT_MS = 180_000;

interface Turn {
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly told: RegExp;
  readonly withNext?: boolean;
}

/** The model's calls in order, and what it must be told. */
const SCRIPT: readonly Turn[] = [
  { title: 'short', input: { command: 'echo said-$((20+3)); (exit 3)' }, told: /"exit_code":3\b[^]*said-23/ },
  { title: 'long by lines', input: { command: 'seq 3000; (exit 4)' }, told: /"exit_code":4\b/ },
  {
    title: 'long by characters',
    input: { command: 'for i in $(seq 900); do printf "%0150d\\n" $i; done; (exit 5)' },
    told: /"exit_code":5\b/,
  },
  {
    title: 'one long line',
    input: { command: 'head -c 60000 /dev/zero | tr "\\0" x; echo; (exit 6)' },
    told: /"exit_code":6\b/,
  },
  { title: 'endless', input: { command: 'yes', await_completion_ms: 1000 }, told: /"completed":false/ },
  { title: 'endless, stopped', input: { action: 'INPUT', keys: ['ctrl-c'] }, told: /"exit_code":130\b/ },
  {
    title: 'prompt',
    input: { command: 'read -r -p "Continue? " answer; echo "got $answer"; (exit 7)' },
    told: /"state":"waiting"[^]*Continue\?/,
  },
  { title: 'prompt, answered', input: { action: 'INPUT', text: 'y' }, told: /"exit_code":7\b[^]*got y/ },
  { title: 'first of two', input: { terminal: 1, command: '(exit 8)' }, told: /"exit_code":8\b/, withNext: true },
  { title: 'second of two', input: { terminal: 2, command: '(exit 9)' }, told: /"exit_code":9\b/ },
];

/** Some clients are available for one platform only. */
const CAN_RUN = CAN_ISOLATE && process.platform === 'linux' && process.arch === 'x64';
const { describe: describeIsolated } = where(CAN_RUN, 'Linux on x64, and to make a network namespace');

describeIsolated.each(CLIENTS)('$name, with the MCP server', (client: RealClient) => {
  let place: Place;
  let model: ModelServer;
  let words: readonly string[];
  const running: RunningCommand[] = [];

  beforeAll(async () => {
    place = await new Place().ready();
    model = new ModelServer();
    const home = place.directory;
    const { modelUrl, isolation } = await isolated(model, home);
    client.prepare?.(home, modelUrl);
    mkdirSync(join(home, 'project'));
    await place.stdout('mcp', 'install', ...client.install(home), '--workspace', 'scripted');
    const env = { PATH: process.env['PATH']!, HOME: home, ...client.env(modelUrl), ...isolation.env };
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const launcher = [process.execPath, '--import', isolation.preload, LAUNCHER];
    // In its own process group, so that all of it can be killed at once.
    const alone = ['setsid', 'env', '-i', ...variables, ...isolation.within];
    words = [...alone, ...launcher, ...programOf(client), ...client.args(modelUrl)];
  });
  afterAll(async () => {
    running.forEach(killGroup);
    await Promise.all(running.map((command) => command.ended()));
    await model.close();
    await place.close();
  });

  const { call = (input): ModelStep => ({ tool: /terminal$/, input: () => input }) } = client;

  /** Starts a conversation in which the model takes these steps after it has looked up the tool. */
  function start(turns: readonly Omit<Turn, 'title' | 'told'>[]): RunningCommand {
    const steps = turns.map(({ input, withNext = false }): ModelStep => ({ ...call(input), withNext }));
    model.forget();
    model.script(...(client.find === undefined ? [] : [client.find]), ...steps);
    const command = new RunningCommand(words, join(place.directory, 'project'), {});
    command.child.stdin!.end();
    running.push(command);
    return command;
  }

  /** The results that the model was sent for its calls. */
  const told = () => model.results.slice(client.find === undefined ? 0 : 1);

  it(
    'reports the result of each command to its model',
    async () => {
      const { stdout, stderr } = await start(SCRIPT).ended();
      const results = SCRIPT.map(({ title }, index) => [title, told()[index] ?? `nothing: ${stdout}${stderr}`]);
      expect(results).toEqual(SCRIPT.map(({ title, told: expected }) => [title, expect.stringMatching(expected)]));
    },
    TIME_LIMIT_MS,
  );

  it(
    'is killed during a command, and reports the result to its model after a restart',
    async () => {
      const go = join(place.directory, 'go');
      const begun = join(place.directory, 'begun');
      const command = `touch ${begun}; until [ -e ${go} ]; do sleep 0.1; done; (exit 10)`;
      const killed = start([{ input: { terminal: 3, command } }]);
      await eventually(() => existsSync(begun) || killed.child.exitCode !== null);
      killGroup(killed);
      const { stdout, stderr } = await killed.ended();
      writeFileSync(go, '');
      expect({ begun: existsSync(begun), stdout, stderr }).toMatchObject({ begun: true });
      const { stdout: said } = await start([{ input: { action: 'WAIT', terminal: 3 } }]).ended();
      expect({ told: told(), said }).toMatchObject({ told: [expect.stringMatching(/"exit_code":10\b/)] });
    },
    TIME_LIMIT_MS,
  );
});

function killGroup({ child }: RunningCommand): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}
