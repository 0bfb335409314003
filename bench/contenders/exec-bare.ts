/**
 * `true` in a bash at its prompt, typed with a marker behind it that tells the exit code, until the bare loop has read
 * the marker; and, where the shell is the engine's, until the prompt behind it is there too: only then can the next line
 * be typed, if its echo is not to get into the output of this one.
 */
import { performance } from 'node:perf_hooks';
import { answer, request } from '../contender.js';
import { openBarePty } from '../reference/bare-pty.js';
import { SHELL_ENV } from '../rows/exec.js';
import type { BareExecRequest } from '../rows/exec.js';

const { runs, shell: kind } = request<BareExecRequest>();
const waitsForPrompt = kind === 'same';

let text = '';
let look = (): void => {};
Object.assign(process.env, SHELL_ENV);
const shell = openBarePty('/bin/bash', waitsForPrompt ? [] : ['--norc', '--noprofile'], (bytes) => {
  text += Buffer.from(bytes).toString('latin1');
  look();
});

function until(isThere: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    look = () => isThere() && resolve();
    look();
  });
}

function type(line: string): void {
  text = '';
  shell.write(Buffer.from(`${line}\n`));
}

/** What the shell shows before it takes a line. */
async function promptText(): Promise<string> {
  const shown = /<<([^]*)>>/;
  // The line that asks for it has quotes in these.
  type(`printf '<''<%s>''>' "\${PS1@P}"`);
  await until(() => shown.test(text));
  // As it is, without what tells the line editor which parts take no room.
  const prompt = shown.exec(text)![1]!.replaceAll(/[\x01\x02]/g, '');
  await until(() => text.endsWith(`>>\x1b[?2004h${prompt}`));
  return prompt;
}

async function run(command: string, number: number, prompt: string): Promise<void> {
  const marker = `MARK-${number}-0\r\n`;
  type(`${command}; echo MARK''-${number}-$?`);
  await until(() => text.includes(marker) && text.endsWith(prompt));
}

const prompt = waitsForPrompt ? await promptText() : '';
await run('true', 0, prompt);
const timesMs: number[] = [];
for (let number = 1; number <= runs; number++) {
  const start = performance.now();
  await run('true', number, prompt);
  timesMs.push(performance.now() - start);
}
process.kill(shell.pid, 'SIGKILL');
answer(timesMs);
