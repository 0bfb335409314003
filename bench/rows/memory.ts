/** The memory of a server and its hosts: with fifty busy terminals whose histories are full, and with idle ones. */
import { setTimeout as delay } from 'node:timers/promises';
import { CHATTY_PROGRAM } from '../inputs/programs.js';
import { byTurns } from '../row.js';
import type { Measurement, BenchRow } from '../row.js';
import { ServerProcess } from '../server-process.js';

const BUSY = 50;
const IDLE = 50;
const MANY_IDLE = 500;
const FULL_LINES = 10_000;
/** How long memory is watched after the setup; the highest value counts. */
const WATCH_MS = 5000;
/** Adding up the memory of eleven processes takes time itself. */
const LOOK_INTERVAL_MS = 250;

interface Memory {
  /** Before the first terminal. */
  readonly emptyMb: number;
  readonly highestMb: number;
}

export const memory: BenchRow = {
  name: 'memory',
  what:
    `Memory (PSS) of the server and all its hosts: with ${BUSY} terminals, each with a full history of ` +
    `${FULL_LINES} lines of 100 characters and one new line per second; with ${IDLE} and (not with --quick) ` +
    `${MANY_IDLE} idle shells. The maximum within 5 s.`,
  async measure(run) {
    const found = await byTurns(run, {
      busy: () => measureServer(BUSY, { command: 'sh', args: ['-c', CHATTY_PROGRAM] }, FULL_LINES),
      idle: () => measureServer(IDLE, IDLE_SHELL, 1),
      manyIdle: () => (run.isQuick ? Promise.resolve(null) : measureServer(MANY_IDLE, IDLE_SHELL, 1)),
    });
    const many = found.manyIdle.filter((one) => one !== null);
    const highest = (servers: readonly Memory[]) => servers.map(({ highestMb }) => highestMb);
    return [
      { measure: 'no terminal', unit: 'MB', samples: found.busy.map(({ emptyMb }) => emptyMb) },
      { measure: `${BUSY} busy, full histories`, unit: 'MB', samples: highest(found.busy), goal: { atMost: 200 } },
      { measure: `${IDLE} idle`, unit: 'MB', samples: highest(found.idle) },
      { measure: `${IDLE} idle, each`, unit: 'kB', samples: found.idle.map((one) => perTerminalKb(one, IDLE)) },
      ...(many.length > 0 ? manyFindings(many) : []),
    ];
  },
};

const IDLE_SHELL = { shell: 'bash', args: ['--norc', '--noprofile', '-i'] };

function manyFindings(many: readonly Memory[]): Measurement[] {
  return [
    { measure: `${MANY_IDLE} idle`, unit: 'MB', samples: many.map(({ highestMb }) => highestMb) },
    { measure: `${MANY_IDLE} idle, each`, unit: 'kB', samples: many.map((one) => perTerminalKb(one, MANY_IDLE)) },
  ];
}

const perTerminalKb = ({ emptyMb, highestMb }: Memory, count: number): number => ((highestMb - emptyMb) * 1000) / count;

/** Starts `count` terminals and waits until each holds `lines` lines. */
async function measureServer(count: number, options: object, lines: number): Promise<Memory> {
  const server = await ServerProcess.start();
  try {
    const emptyMb = server.memoryMb();
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push(await server.createTerminal(options));
    for (const id of ids) await untilLines(server, id, lines);
    let highestMb = 0;
    for (let ms = 0; ms < WATCH_MS; ms += LOOK_INTERVAL_MS) {
      highestMb = Math.max(highestMb, server.memoryMb());
      await delay(LOOK_INTERVAL_MS);
    }
    return { emptyMb, highestMb };
  } finally {
    await server.stop();
  }
}

async function untilLines(server: ServerProcess, id: string, lines: number): Promise<void> {
  const held = async () => (await server.call<{ bufferSize: number }>('GET', `/api/terminals/${id}/stats`)).bufferSize;
  while ((await held()) < lines) await delay(LOOK_INTERVAL_MS);
}
