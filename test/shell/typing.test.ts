/** A person types into a shell while a caller runs commands in it: nothing is lost, and nothing is mixed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandResult } from '../../src/contract/command.js';
import { startEngine, stopEngines } from '../engine/engine-under-test.js';
import { expectEnd, SHELLS, ShellAtWork, untilTaken } from './shell-at-work.js';
import type { ShellName } from './shell-at-work.js';

const TYPED_LINES = 100;
/** Until what was typed last has been run. */
const PATIENCE_MS = 60_000;

const STRESS_TIMEOUT_MS = 240_000;

let at: ShellAtWork;
afterEach(async () => {
  await at.end();
  await stopEngines();
});

async function startShell(name: ShellName): Promise<void> {
  at = new ShellAtWork(startEngine(), name);
  await at.start();
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Calls for as long as somebody types; gives what was answered. */
async function callWhile(isTyping: () => boolean): Promise<CommandResult[]> {
  const results: CommandResult[] = [];
  while (isTyping()) results.push(await untilTaken(() => at.exec(`echo call ${results.length}`)));
  return results;
}

/** What the typed lines have written, in order. */
function typedLines(): string[] {
  const file = join(at.directory, 'typed.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
}

async function untilLines(count: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (typedLines().length < count) {
    if (Date.now() > deadline) throw new Error(`Lost, or mixed:\n${(await at.manager.read(at.id)).output}`);
    await nextTurn();
  }
}

/** Types lines in pieces as given, while a caller runs commands; all were run once, in order, and no call is wrong. */
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
  // What is typed while a command runs is echoed into its output.
  (await calls).forEach((result, index) => {
    expectEnd(result, 0);
    expect(result.output.match(/call \d+/g)).toEqual([`call ${index}`]);
  });
  expect(typedLines()).toEqual(Array.from({ length: TYPED_LINES }, (_, line) => `typed-${line}`));
}

describe('a person who types while a caller runs commands', () => {
  it.each(['bash', 'zsh'] as const)(
    'loses nothing, key by key: %s',
    async (name) => {
      await startShell(name);
      await typeAmongCalls((line) => [...`echo typed-${line} >> ~/../typed.txt`, '\r']);
    },
    STRESS_TIMEOUT_MS,
  );

  it.each(Object.keys(SHELLS) as ShellName[])(
    'loses nothing, line by line: %s',
    async (name) => {
      await startShell(name);
      await typeAmongCalls((line) => [`echo typed-${line} >> ~/../typed.txt\r`]);
    },
    STRESS_TIMEOUT_MS,
  );
});
