/** Tests what is done before a signal ends a process: in real processes, with real signals. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILD } from '../build.js';

const INDEX = pathToFileURL(join(BUILD, 'index.js')).href;

/**
 * Runs a script that uses `endOnSignal` and keeps running. Each line it prints that is a signal's name makes the test
 * send that signal.
 */
async function run(script: string) {
  const code = `
    const { endOnSignal } = await import('${INDEX}');
    const say = (line) => new Promise((done) => process.stdout.write(line + '\\n', done));
    setInterval(() => {}, 60_000);
    ${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
  });
  const lines: string[] = [];
  let unfinished = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const found = (unfinished + text).split('\n');
    unfinished = found.pop()!;
    for (const line of found) {
      if (line.startsWith('SIG')) child.kill(line as NodeJS.Signals);
      else lines.push(line);
    }
  });
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { exitCode, signal, lines };
}

describe('endOnSignal', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('ends everything once, and then lets %s end the process', async (signal) => {
    const script = `
      endOnSignal(async () => {
        await say('begins');
        const another = new Promise((resolve) => process.once('SIGTERM', resolve));
        await say('SIGTERM');
        await another;
        await say('ends');
      });
      await say('${signal}');`;
    expect(await run(script)).toEqual({ exitCode: null, signal, lines: ['begins', 'ends'] });
  });

  it('lets the signal end the process even if ending fails, or never completes', async () => {
    const failing = `endOnSignal(async () => { throw new Error('no'); }); await say('SIGTERM');`;
    expect(await run(failing)).toEqual({ exitCode: null, signal: 'SIGTERM', lines: [] });
    const never = `
      const { mock } = await import('node:test');
      mock.timers.enable({ apis: ['setTimeout'] });
      endOnSignal(() => (setImmediate(() => mock.timers.tick(15_000)), new Promise(() => {})));
      await say('SIGTERM');`;
    expect(await run(never)).toEqual({ exitCode: null, signal: 'SIGTERM', lines: [] });
  });

  it('leaves the end of the process to other listeners of the signal', async () => {
    const script = `
      process.on('SIGTERM', () => say('heard'));
      endOnSignal(async () => { await say('ended'); setImmediate(() => process.exit(7)); });
      await say('SIGTERM');`;
    const { exitCode, lines } = await run(script);
    expect({ exitCode, lines: lines.sort() }).toEqual({ exitCode: 7, lines: ['ended', 'heard'] });
  });

  it('can be undone', async () => {
    const script = `endOnSignal(() => say('ended'))(); await say('SIGTERM');`;
    expect(await run(script)).toEqual({ exitCode: null, signal: 'SIGTERM', lines: [] });
  });
});
