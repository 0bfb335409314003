/**
 * Routes for a terminal's output: its history, screen and statistics. These routes only translate between HTTP and the
 * manager.
 */
import { z } from 'zod';
import {
  INITIAL_MODES,
  outputPage,
  readOutput,
  screenFormat,
  terminalScreen,
  terminalStats,
} from '../../contract/output.js';
import { TerminalError } from '../../errors.js';
import { COMMAND_PAGE_EXAMPLE } from '../docs/command-examples.js';
import { BytesAnswer, dataOf, done, messageOf, ok, route } from '../route.js';
import { oneTerminal } from './terminals.js';

const read = route({
  method: 'get',
  path: '/api/terminals/:terminalId/output',
  name: 'readOutput',
  tag: 'Output',
  summary: 'Read output',
  description:
    'Returns lines of the history without consuming them. To follow a program, pass back `cursor` (new output only; ' +
    'nothing is lost or repeated), or pass `nextReadFrom` as `since` (whole lines; an unfinished last line is ' +
    'repeated). With `timeoutMs`, waits for new output or the end of the program.',
  params: oneTerminal,
  query: readOutput,
  answer: dataOf(outputPage),
  errors: ['TERMINAL_NOT_FOUND', 'LIMIT_REACHED', 'READ_FAILED'],
  example: {
    query: { mode: 'tail', tailLines: 30 },
    answer: {
      success: true,
      data: {
        ...COMMAND_PAGE_EXAMPLE,
        output: '…\nready in 300 ms\nLocal: http://localhost:5173/',
        totalLines: 150,
        nextReadFrom: 150,
        truncated: true,
        cursor: 'MTUwOjA',
        fromLine: 120,
        mutableFrom: 126,
        isActive: true,
        exitCode: null,
        stats: {
          totalBytes: 5000,
          estimatedTokens: 1250,
          linesShown: 30,
          linesOmitted: 120,
          shownBytes: 1000,
          shownTokens: 250,
        },
      },
    },
  },
  async handle({ params, query, signal, service, expectWait }) {
    expectWait(query.timeoutMs);
    return ok(await service.manager.read(params.terminalId, query, { signal }));
  },
});

const CLEARED = 'Output cleared successfully';

const clear = route({
  method: 'delete',
  path: '/api/terminals/:terminalId/output',
  name: 'clearOutput',
  tag: 'Output',
  summary: 'Clear output',
  description: 'Deletes the history held so far. Line numbers continue.',
  params: oneTerminal,
  answer: messageOf(CLEARED),
  errors: ['TERMINAL_NOT_FOUND'],
  example: { answer: { success: true, message: CLEARED } },
  async handle({ params, service }) {
    await service.manager.clear(params.terminalId);
    return done(CLEARED);
  },
});

const PNG = 'image/png';

const screen = route({
  method: 'get',
  path: '/api/terminals/:terminalId/screen',
  name: 'readScreen',
  tag: 'Output',
  summary: 'Get the screen',
  description:
    'Returns the current screen: rows, cursor, title and modes. Use it for full-screen programs (vim, htop, menus). ' +
    '`format=png` returns an image with 8×16 pixels per cell and at most 65,536 cells. Up to 32 image requests are ' +
    'queued; any more fail with `LIMIT_REACHED` and `Retry-After`.',
  params: oneTerminal,
  query: z.strictObject({
    format: z
      .enum([...screenFormat.options, 'png'])
      .default('text')
      .describe('`ansi`: with colours and styles. `png`: an image.'),
  }),
  answer: dataOf(terminalScreen),
  bytes: PNG,
  errors: ['TERMINAL_NOT_FOUND', 'LIMIT_REACHED', 'READ_FAILED'],
  example: {
    query: { format: 'text' },
    answer: {
      success: true,
      data: {
        cols: 80,
        rows: 3,
        cursor: { x: 2, y: 1, visible: true },
        title: '',
        alternate: false,
        modes: { ...INITIAL_MODES, bracketedPaste: true },
        lines: ['hello', '$ ', ''],
        offset: 120,
      },
    },
  },
  async handle({ params, query, service, setHeader }) {
    const { format } = query;
    if (format !== 'png') return ok(await service.manager.screen(params.terminalId, format));
    // Imported on demand, because the module includes a terminal emulator and takes time to load.
    const { pictureInTurn } = await import('../../picture/pictures-in-turn.js');
    try {
      return new BytesAnswer(PNG, await pictureInTurn(() => service.manager.snapshot(params.terminalId)));
    } catch (error) {
      if (error instanceof TerminalError && error.details['limit'] === 'MAX_PICTURES_AT_ONCE')
        setHeader('Retry-After', '1');
      throw error;
    }
  },
});

const stats = route({
  method: 'get',
  path: '/api/terminals/:terminalId/stats',
  name: 'getStats',
  tag: 'Output',
  summary: 'Get statistics',
  description: 'Reports how much a terminal has printed, and how much of it is held.',
  params: oneTerminal,
  answer: dataOf(terminalStats),
  errors: ['TERMINAL_NOT_FOUND'],
  example: {
    answer: {
      success: true,
      data: {
        terminalId: 'abc-123',
        totalLines: 500,
        totalBytes: 15000,
        estimatedTokens: 3750,
        bufferSize: 500,
        oldestLine: 0,
        newestLine: 499,
        isActive: true,
        history: {
          place: 'disk',
          state: 'ok',
          reason: null,
          memoryBytes: 16384,
          diskBytes: 15800,
          savedLines: 480,
          droppedLines: 0,
          limits: {
            memoryLines: 10_000,
            memoryBytes: 4_000_000,
            diskBytes: 268_435_456,
            diskBytesTotal: 4_294_967_296,
            diskAgeMs: 2_592_000_000,
          },
        },
      },
    },
  },
  async handle({ params, service }) {
    return ok(await service.manager.stats(params.terminalId));
  },
});

export const outputRoutes = [read, clear, screen, stats];
