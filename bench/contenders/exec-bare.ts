/**
 * `true` in a bash at its prompt, typed with a marker behind it that tells the exit code, until the bare loop has read
 * the marker.
 */
import { performance } from 'node:perf_hooks';
import { answer, request } from '../contender.js';
import { openBarePty } from '../reference/bare-pty.js';
import type { ExecRequest } from '../rows/exec.js';

const { runs } = request<ExecRequest>();

let text = '';
let look = (): void => {};
const shell = openBarePty('/bin/bash', ['--norc', '--noprofile'], (bytes) => {
  text += Buffer.from(bytes).toString('latin1');
  look();
});

/** Types a line; resolves when the marker is there that it prints. */
function run(command: string, number: number): Promise<void> {
  // The echo of the line has a quote in it.
  const marker = `MARK-${number}-0`;
  return new Promise((resolve) => {
    look = () => {
      if (!text.includes(marker)) return;
      text = '';
      resolve();
    };
    shell.write(Buffer.from(`${command}; echo MARK''-${number}-$?\n`));
  });
}

await run('true', 0);
const timesMs: number[] = [];
for (let number = 1; number <= runs; number++) {
  const start = performance.now();
  await run('true', number);
  timesMs.push(performance.now() - start);
}
process.kill(shell.pid, 'SIGKILL');
answer(timesMs);
