/**
 * Several ways to run `seq 1 N` in a pseudo-terminal and count its output bytes until its exit is reported. Each
 * resolves with that count.
 */
import { spawn } from '@lydell/node-pty';
import { LocalTerminalManager, Pty } from '../engine.js';

export type ReadSeq = (lastNumber: string) => Promise<number>;

const SHELL = '/bin/sh';
const seqArgs = (lastNumber: string): string[] => ['-c', `exec seq 1 ${lastNumber}`];
const SIZE = { cols: 80, rows: 24 };
/** How long a paused reader may read after it is resumed. */
const RESUME_MS = 100;

const manager = new LocalTerminalManager({ maxBufferLines: 100_000 });

/** A subscriber from the start: counts what it received before the exit event. */
const engine: ReadSeq = async (lastNumber) => {
  const { id } = await manager.create({ command: SHELL, args: seqArgs(lastNumber) });
  let bytes = 0;
  for await (const event of await manager.subscribe(id, 0)) {
    if (event.type === 'output') bytes += event.bytes.length;
    if (event.type === 'exit') break;
  }
  await manager.remove(id);
  return bytes;
};

/** The engine's own pseudo-terminal, paused from the start and never resumed. */
const enginePaused: ReadSeq = (lastNumber) =>
  new Promise((resolve) => {
    let bytes = 0;
    const env = { PATH: process.env.PATH ?? '' };
    const options = { file: SHELL, args: seqArgs(lastNumber), env, cwd: process.cwd(), ...SIZE };
    const pty = Pty.spawn(options, {
      onData: (chunk) => (bytes += chunk.length),
      onExit: () => resolve(bytes),
      onClose: () => {},
    });
    pty.pause();
  });

const nodePty: ReadSeq = (lastNumber) =>
  new Promise((resolve) => {
    let bytes = 0;
    const pty = spawn(SHELL, seqArgs(lastNumber), { ...SIZE, encoding: null });
    pty.onData((chunk) => (bytes += chunk.length));
    pty.onExit(() => resolve(bytes));
  });

/** Paused until its exit is reported, then resumed and given time to read, which is more than it guarantees. */
const nodePtyPaused: ReadSeq = (lastNumber) =>
  new Promise((resolve) => {
    let bytes = 0;
    const pty = spawn(SHELL, seqArgs(lastNumber), { ...SIZE, encoding: null });
    pty.onData((chunk) => (bytes += chunk.length));
    pty.pause();
    pty.onExit(() => {
      pty.resume();
      setTimeout(() => resolve(bytes), RESUME_MS);
    });
  });

export const READERS = { engine, enginePaused, nodePty, nodePtyPaused };
