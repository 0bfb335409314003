/**
 * A minimal ACP agent that runs commands: at its one prompt, it runs `true` and then a command with long output
 * repeatedly through its client's terminals, one after the other, and writes to the file `BENCH_TIMES` how long each
 * took in ms until it had the output and until it was released. Writes the JSON lines itself, so that no library's time
 * is included.
 *
 * node timing-agent.mjs RUNS OUTPUTS OUTPUT_BYTES KEPT_BYTES
 */
import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';

const [runs, outputs, outputBytes, keptBytes] = process.argv.slice(2).map(Number);
const LINE = '0123456789abcdefghijklmnopqrstuvwxyz';
const sessionId = 'bench';

const waiting = new Map();
let lastId = 0;
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** Sends a request to the client. */
function ask(method, params) {
  const id = ++lastId;
  send({ id, method: `terminal/${method}`, params: { sessionId, ...params } });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

/** Sends all requests that an agent makes for a command. */
async function run(command, args) {
  const start = performance.now();
  const { terminalId } = await ask('create', { command, args, outputByteLimit: keptBytes });
  const { exitCode } = await ask('wait_for_exit', { terminalId });
  const { output } = await ask('output', { terminalId });
  const outputMs = performance.now() - start;
  await ask('release', { terminalId });
  const releaseMs = performance.now() - start;
  if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}`);
  return { time: { outputMs, releaseMs }, output };
}

// `true` takes no arguments, but with one, it runs as a program rather than as a line for a shell.
const runTrue = async () => (await run('true', ['-'])).time;

async function runOutput(whole) {
  const { time, output } = await run('sh', ['-c', `yes ${LINE} | head -c ${outputBytes}`]);
  // A client may or may not keep the first line, which the limit cuts.
  const isComplete = output.length <= keptBytes && output.length > keptBytes - LINE.length - 1;
  if (!isComplete || !whole.endsWith(output))
    throw new Error(`of the output ${output.length} characters came, or others`);
  return time;
}

async function measure() {
  const times = { first: await runTrue(), short: [], long: [] };
  for (let i = 0; i < runs; i++) times.short.push(await runTrue());
  const whole = `${LINE}\n`.repeat(Math.ceil(outputBytes / (LINE.length + 1))).slice(0, outputBytes);
  for (let i = 0; i < outputs; i++) times.long.push(await runOutput(whole));
  return times;
}

/** Writes a failure in place of the times, because clients show errors in different ways. */
async function prompt() {
  const found = await measure().catch((error) => ({ failure: error.message }));
  writeFileSync(process.env.BENCH_TIMES, JSON.stringify(found));
  return { stopReason: 'end_turn' };
}

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, agentCapabilities: {}, authMethods: [] }),
  'session/new': () => ({ sessionId }),
  'session/prompt': prompt,
};

async function receive({ id, method, params, result, error }) {
  if (method === undefined) return settle(id, result, error);
  if (id === undefined) return;
  const answer = ANSWERS[method];
  if (answer === undefined) return send({ id, error: { code: -32601, message: 'Method not found' } });
  send({ id, result: await answer(params) });
}

function settle(id, result, error) {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (error) reject(new Error(error.message));
  else resolve(result);
}

createInterface({ input: process.stdin }).on('line', (line) => void receive(JSON.parse(line)));
