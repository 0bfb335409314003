/** Tests a person who types into a shell while a caller runs commands in it: nothing is lost, and nothing is mixed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandResult } from '../../src/contract/command.js';
import { DEEP, runs } from '../deep.js';
import { expectEnd, RICH, shellOfTest, underTest, untilTaken } from './shell-at-work.js';
import type { ShellAtWork } from './shell-at-work.js';
import { eventually, nextTurn } from '../eventually.js';

const TYPED_LINES = runs({ normal: 40, deep: 100 });
const KEYS = runs({ normal: 80, deep: 300 });
const A = 'a'.charCodeAt(0);
const LETTERS = 26;
/** More turns of the event loop than a command takes. */
const MOMENTS = 37;
/** The time limit for running the last typed line. */
const LAST_LINE_MS = 30_000;

/** Hundreds of commands in one test. */
const STRESS_TIMEOUT_MS = DEEP ? 240_000 : 60_000;

let at: ShellAtWork;
const startShell = shellOfTest();

/** Calls `exec` repeatedly while a person types; returns the results. */
async function callWhile(isTyping: () => boolean): Promise<CommandResult[]> {
  const results: CommandResult[] = [];
  while (isTyping()) results.push(await untilTaken(() => at.exec(`echo call ${results.length}`)));
  return results;
}

/** What the typed lines have written, in order. */
/** Only complete lines: a file exists before it has content. */
function typedLines(): string[] {
  const file = join(at.directory, 'typed.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

/** Text typed while a command runs is echoed into its output. */
function expectCall(result: CommandResult, index: number): void {
  expectEnd(result, 0);
  expect(result.output.match(/call \d+/g)).toEqual([`call ${index}`]);
}

async function untilLines(count: number): Promise<void> {
  const missing = async () => `${count} lines; lost, or mixed:\n${(await at.manager.read(at.id)).output}`;
  await eventually(() => typedLines().length >= count, { within: LAST_LINE_MS, missing });
}

/**
 * Types lines in the given pieces while a caller runs commands; checks that all were run once, in order, and that every
 * call is correct.
 */
async function typeAmongCalls(pieces: (line: number) => readonly string[]): Promise<void> {
  await at.exec('true');
  let isTyping = true;
  const calls = callWhile(() => isTyping);
  for (let line = 0; line < TYPED_LINES; line++) {
    for (const piece of pieces(line)) {
      await at.type(piece);
      await nextTurn();
    }
  }
  await untilLines(TYPED_LINES).finally(() => {
    isTyping = false;
  });
  (await calls).forEach(expectCall);
  expect(typedLines()).toEqual(Array.from({ length: TYPED_LINES }, (_, line) => `typed-${line}`));
}

describe('a person who types while a caller runs commands', () => {
  it.each(underTest(RICH))(
    'loses nothing, key by key: %s',
    async (name) => {
      at = await startShell(name);
      await typeAmongCalls((line) => [...`echo typed-${line} >> ~/../typed.txt`, '\r']);
    },
    STRESS_TIMEOUT_MS,
  );

  it.each(underTest(RICH))(
    `has each key on the line once and in order, with ${KEYS} commands in between: %s`,
    async (name) => {
      at = await startShell(name);
      await at.prompt();
      const text = Array.from({ length: KEYS }, (_, key) => String.fromCharCode(A + (key % LETTERS))).join('');
      for (const [index, key] of [...`echo ${text}`].entries()) {
        const calling = at.exec(`echo call ${index}`);
        // At varying moments of a command: requested, queued, sent, begun, ended.
        for (let turns = index % MOMENTS; turns > 0; turns--) await nextTurn();
        await at.type(key);
        expectCall(await calling, index);
      }
      await at.type(' >>~/../typed.txt\r');
      await untilLines(1);
      expect(typedLines()).toEqual([text]);
    },
    STRESS_TIMEOUT_MS,
  );

  it.each(underTest())(
    'has the rest of a line after its beginning, even if a command ran in between: %s',
    async (name) => {
      at = await startShell(name);
      await at.prompt();
      await at.type('echo be');
      const calling = at.exec('sleep 1; echo called');
      for (const key of 'gun >>~/../typed.txt\r') {
        await at.type(key);
        await nextTurn();
      }
      expectEnd(await calling, 0, 'called');
      await untilLines(1);
      expect(typedLines()).toEqual(['begun']);
    },
    STRESS_TIMEOUT_MS,
  );

  it.each(underTest())(
    'answers a command that waits for input, with half a line at the prompt: %s',
    async (name) => {
      at = await startShell(name);
      await at.prompt();
      await at.type('echo typed >>~/../typed.t');
      const asking = await at.exec('read answer; echo "got $answer"');
      expect(asking).toMatchObject({ completed: false, state: 'waiting' });
      await at.type('yes\r');
      expectEnd(await at.collect(asking.commandId, { untilInput: false }), 0, /^got yes$/m);
      await at.type('xt\r');
      await untilLines(1);
      expect(typedLines()).toEqual(['typed']);
    },
    STRESS_TIMEOUT_MS,
  );

  it.each(underTest())(
    'loses nothing, line by line: %s',
    async (name) => {
      at = await startShell(name);
      await typeAmongCalls((line) => [`echo typed-${line} >> ~/../typed.txt\r`]);
    },
    STRESS_TIMEOUT_MS,
  );
});
