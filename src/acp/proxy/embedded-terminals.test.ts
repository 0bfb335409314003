/** Tests how much is kept of the terminals shown to an editor: what is dropped, and that its memory is freed. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { TerminalDialect } from './editor-line-handler.js';
import { EmbeddedTerminals } from './embedded-terminals.js';
import { Message } from './message.js';

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

const KIB = 1 << 10;
/** The length of a printed line, more than is shown of it. */
const MUCH = 300 * KIB;
/** The number of turns within which all unreachable objects are collected. */
const MOST_TURNS = 50;
/** The maximum shown of one terminal. */
const SHOWN = 32 * KIB;

/** Terminals that can only be read by id, and the lines sent about them. */
class Shown {
  readonly said: string[] = [];
  readonly terminals: EmbeddedTerminals;
  readonly #started: WeakRef<object>[] = [];

  constructor(dialect: TerminalDialect) {
    this.terminals = new EmbeddedTerminals({
      dialect: () => dialect,
      seen: seenOf,
      send: (line) => this.said.push(line.toString()),
      isBehind: () => false,
    });
  }

  starts(terminalId: string, sessionId = 's'): void {
    const shown = { terminalId, sessionId, command: 'x', cwd: '/' };
    this.#started.push(new WeakRef(shown));
    this.terminals.started(shown);
  }

  /** Runs a terminal that prints much and ends. */
  async runs(terminalId: string, sessionId = 's'): Promise<void> {
    this.starts(terminalId, sessionId);
    this.terminals.output(terminalId, Buffer.alloc(MUCH, 'a'));
    this.terminals.ended(terminalId, { exitCode: 0, signal: null });
    await this.terminals.flush(terminalId);
  }

  /** Returns how a new tool call that shows the terminal is rewritten. */
  embeds(terminalId: string, sessionId = 's'): string {
    const content = [{ type: 'terminal', terminalId }];
    const update = { sessionUpdate: 'tool_call', toolCallId: terminalId, content };
    const line = JSON.stringify({ method: 'session/update', params: { sessionId, update } });
    const shown = this.terminals.rewrite(Message.read(Buffer.from(line))!).toString();
    return shown === line ? 'as it was' : shown;
  }

  /**
   * Returns the number of started terminals that are still in memory. Objects in use a moment ago are freed a turn
   * later.
   */
  async left(expected: number): Promise<number> {
    let left = Infinity;
    for (let turn = 0; turn < MOST_TURNS && left > expected; turn++) {
      await new Promise(setImmediate);
      collect();
      left = this.#started.filter((started) => started.deref() !== undefined).length;
    }
    return left;
  }
}

function seenOf(terminalId: string) {
  return {
    add: () => {},
    read: () => Promise.resolve({ output: `${terminalId}:${'b'.repeat(SHOWN)}`, truncated: true }),
  };
}

describe.each(['text', 'meta'] as const)('an editor that supports %s', (dialect) => {
  it('is shown no terminals of a closed session, and no state of them is kept', async () => {
    const shown = new Shown(dialect);
    for (let n = 0; n < 50; n++) {
      await shown.runs(`t${n}`);
      if (n % 2 === 0) shown.embeds(`t${n}`);
    }
    await shown.runs('other', 'u');
    shown.said.length = 0;
    shown.terminals.closeSession('s');
    expect(shown.embeds('t0')).toBe('as it was');
    expect(shown.embeds('t1')).toBe('as it was');
    expect(shown.embeds('other', 'u')).not.toBe('as it was');
    await shown.terminals.flush('t0');
    expect(shown.said).toEqual([]);
    expect(await shown.left(1)).toBe(1);
    shown.terminals.close();
  });

  it('receives no further updates of a running terminal after its session is closed', async () => {
    const shown = new Shown(dialect);
    shown.starts('t');
    shown.embeds('t');
    shown.terminals.output('t', Buffer.from('much'));
    const flushed = shown.terminals.flush('t');
    shown.said.length = 0;
    shown.terminals.closeSession('s');
    shown.terminals.ended('t', { exitCode: null, signal: 'SIGTERM' });
    await flushed;
    expect(shown.said).toEqual([]);
  });

  it('is shown the newest of a thousand terminals that were never released, with bounded memory', async () => {
    const shown = new Shown(dialect);
    const before = heap();
    for (let n = 0; n < 1000; n++) await shown.runs(`t${n}`);
    expect(await shown.left(599)).toBeLessThan(600);
    expect(heap() - before).toBeLessThan(32 << 20);
    expect(shown.embeds('t0')).toBe('as it was');
    expect(shown.embeds('t999')).not.toBe('as it was');
    shown.terminals.close();
  });
});

it('reports the end of a terminal whose state was dropped', async () => {
  const shown = new Shown('meta');
  shown.starts('t');
  shown.embeds('t');
  shown.terminals.ended('t', { exitCode: 5, signal: null });
  for (let n = 0; n < 1000; n++) {
    shown.starts(`t${n}`);
    shown.terminals.ended(`t${n}`, { exitCode: 0, signal: null });
  }
  expect(shown.said.join('')).toContain('"terminal_exit":{"terminal_id":"t","exit_code":5,"signal":null}');
  shown.terminals.close();
});

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
