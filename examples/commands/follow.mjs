#!/usr/bin/env node
/**
 * Runs one command through the REST API, prints its output as it arrives, answers its questions with lines from stdin,
 * and exits with its exit code. Needs no package.
 *
 *   ./follow.mjs 'read -p "Name? " NAME; echo hello $NAME'
 *   SERVER=http://127.0.0.1:4000 API_KEY=… ./follow.mjs 'npm init'
 */
import { createInterface } from 'node:readline';
import { TextDecoderStream } from 'node:stream/web';
import { URLSearchParams } from 'node:url';

const { SERVER = 'http://127.0.0.1:3001', API_KEY } = process.env;
const [command] = process.argv.slice(2);
if (command === undefined) {
  console.error("Usage: [SERVER=URL] [API_KEY=KEY] follow.mjs 'COMMAND'");
  process.exit(2);
}
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Sends a request; fails with the server's own words. */
async function ask(method, path, body, accept = 'application/json') {
  const headers = { accept, 'content-type': 'application/json', ...(API_KEY && { 'x-api-key': API_KEY }) };
  const answer = await fetch(SERVER + path, { method, headers, body: body && JSON.stringify(body) });
  if (answer.ok) return answer;
  const { error } = await answer.json();
  throw new Error(`${error.code}: ${error.message}`);
}

/** The events of an answer: its parts between empty lines, less the signs of life. */
async function* eventsOf(answer) {
  let text = '';
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    const parts = (text + piece).split('\n\n');
    text = parts.pop();
    for (const part of parts.filter((each) => each.startsWith('event: '))) {
      const { event, data } = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/)));
      yield { event, data: JSON.parse(data) };
    }
  }
}

/** Prints what comes; gives the last event's data. */
async function follow(answer) {
  for await (const { event, data } of eventsOf(answer)) {
    if (event === 'output') process.stdout.write(data.text);
    if (event === 'result') return data;
    if (event === 'failed') throw new Error(`${data.code}: ${data.message}`);
  }
  throw new Error('The stream broke off');
}

const EVENTS = 'text/event-stream';
const request = { command, timeoutMs: 3_600_000, terminal: { shell: 'bash', cwd: process.cwd() } };
let result = await follow(await ask('POST', '/api/exec', request, EVENTS));
const terminal = `/api/terminals/${result.terminalId}`;

// Each question is answered with a line, and the stream is taken up again where it ended.
while (!result.completed && result.waiting !== null) {
  const { value: line, done } = await lines.next();
  await ask('POST', `${terminal}/input`, done ? { keys: ['ctrl-c'] } : { input: line });
  const query = new URLSearchParams({ timeoutMs: 3_600_000, cursor: result.cursor });
  result = await follow(
    await ask('GET', `${terminal}/commands/${result.commandId}/result?${query}`, undefined, EVENTS),
  );
}

process.stdout.write('\n');
await ask('DELETE', terminal);
process.exit(result.exitCode ?? 1);
