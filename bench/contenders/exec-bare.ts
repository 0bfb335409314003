/**
 * Runs `true` in a bash at its prompt, typed together with a marker that reports the exit code. Measures the time until
 * the bare loop has read the marker; in a shell set up like the engine's, until the following prompt has been read too:
 * only then can the next line be typed without its echo getting into the output of this one.
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

/** Returns the prompt that the shell prints before it reads a line. */
async function promptText(): Promise<string> {
  const shown = /<<([^]*)>>/;
  // The command line itself, which is echoed, has quotes inside these marks.
  type(`printf '<''<%s>''>' "\${PS1@P}"`);
  await until(() => shown.test(text));
  // The raw prompt, without the characters that mark zero-width parts for the line editor.
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
