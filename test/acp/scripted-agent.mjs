/**
 * An agent on stdin and stdout that executes its prompt, a list of steps in JSON; any other prompt is repeated in its
 * answer. Its arguments make it misbehave from the start: `mute`, `garbage`, `sign-in`, `version-9`, `no-session`,
 * `dies`.
 */
import { spawn } from 'node:child_process';
import { existsSync, watch, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';

const oddities = process.argv.slice(2);
const is = (oddity) => oddities.includes(oddity);
const SESSION = 'session-1';
let isSignedIn = !is('sign-in');
let onCancel = () => {};

if (is('garbage')) process.stdout.write('Welcome to the agent!\n\x1b]0;owned\x07more\n');
if (is('dies')) {
  process.stderr.write('no \x1b[31mkey\x1b[0m is set\n');
  process.exit(3);
}

const app = agent({ name: 'scripted' })
  .onRequest(methods.agent.initialize, ({ params }) => {
    if (is('mute')) return new Promise(() => {});
    return {
      protocolVersion: is('version-9') ? 9 : params.protocolVersion,
      agentInfo: { name: 'scripted', version: '1.0' },
      agentCapabilities: { loadSession: true },
      authMethods: [{ id: 'key', name: 'Use a key', description: 'SCRIPTED_KEY' }],
    };
  })
  .onRequest(methods.agent.authenticate, () => ((isSignedIn = true), {}))
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (!isSignedIn) throw RequestError.authRequired();
    if (is('no-session')) throw RequestError.internalError({ details: 'out of order' });
    session.cwd = params.cwd;
    session.mcpServers = params.mcpServers;
    return { sessionId: SESSION };
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    session.cwd = params.cwd;
    await update(client, { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'before' } });
    return {};
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const cancelled = new Promise((resolve) => (onCancel = resolve));
    const [{ text }] = params.prompt;
    const steps = text.startsWith('[') ? JSON.parse(text) : [{ say: `You said: ${text}` }];
    for (const step of steps) {
      const [name] = Object.keys(step);
      const stopReason = await STEPS[name](client, step[name], cancelled);
      if (stopReason !== undefined) return { stopReason };
    }
    return { stopReason: 'end_turn' };
  })
  .onNotification(methods.agent.session.cancel, () => onCancel('cancelled'));

const session = { cwd: '', mcpServers: [], asked: [] };
const update = (client, said) => client.notify(methods.client.session.update, { sessionId: SESSION, update: said });
const chunk = (sessionUpdate) => (client, text) => update(client, { sessionUpdate, content: { type: 'text', text } });
const say = chunk('agent_message_chunk');

const STEPS = {
  say,
  think: chunk('agent_thought_chunk'),
  plan: (client, entries) => update(client, { sessionUpdate: 'plan', entries }),
  /** Sends any update. */
  update: (client, said) => update(client, said),
  /** A command in a terminal of the client, embedded in a tool call; reports how it ended. */
  run: async (client, { command, args, keep }) => {
    const call = { toolCallId: command, title: command, kind: 'execute', status: 'in_progress' };
    await update(client, { sessionUpdate: 'tool_call', ...call });
    const terminal = await client.createTerminal({ sessionId: SESSION, command, ...(args ? { args } : {}) });
    const content = [{ type: 'terminal', terminalId: terminal.id }];
    await update(client, { sessionUpdate: 'tool_call_update', toolCallId: command, content });
    if (keep) return;
    const { exitCode, signal } = await terminal.waitForExit();
    const { output } = await terminal.currentOutput();
    await terminal.release();
    const status = exitCode === 0 ? 'completed' : 'failed';
    await update(client, { sessionUpdate: 'tool_call_update', toolCallId: command, status, content });
    await say(client, `[${exitCode ?? signal} ${output.length}]`);
  },
  /** Asks for permission, and reports the answer. */
  ask: async (client, { title, options, ...call }) => {
    const toolCall = { toolCallId: 'asked', title, ...call };
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      ...{ sessionId: SESSION, toolCall, options: options ?? OPTIONS },
    });
    await say(client, `<${outcome.optionId ?? outcome.outcome}>`);
  },
  /** Reports the parameters of the session. */
  session: (client) => say(client, JSON.stringify(session)),
  pid: (client) => say(client, `pid ${process.pid}\n`),
  environment: (client, name) => say(client, String(process.env[name])),
  /** Leaves a program running in the background, and writes its pid to a file. */
  leave: (_client, file) => {
    const child = spawn('sleep', ['1000'], { stdio: 'inherit' });
    writeFileSync(file, String(child.pid));
  },
  raw: (_client, text) => void process.stdout.write(text),
  stderr: (_client, text) => void process.stderr.write(text),
  /** Waits until the turn is cancelled. */
  wait: async (_client, _nothing, cancelled) => void (await cancelled),
  /** Waits until a file exists. */
  until: (_client, file) =>
    new Promise((resolve) => {
      const look = () => existsSync(file) && (watcher.close(), resolve());
      const watcher = watch(dirname(file), look);
      look();
    }),
  /** Never ends, even if cancelled. */
  hang: () => new Promise(() => {}),
  /** Executes steps that continue after the turn. */
  later: (client, steps) => void inOrder(client, steps),
  flood: async (client, count) => {
    for (let line = 0; line < count; line++) await say(client, `line ${line}\n`);
  },
  stop: (_client, reason) => reason,
  error: (_client, { code, message, data }) => {
    throw new RequestError(code, message, data);
  },
  die: (_client, code) => process.exit(code),
};

const OPTIONS = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'Once', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

async function inOrder(client, steps) {
  for (const step of steps) {
    const [name] = Object.keys(step);
    await STEPS[name](client, step[name], new Promise(() => {}));
  }
}

app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
