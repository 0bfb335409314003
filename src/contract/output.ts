/**
 * The vocabulary of reading: what may be asked of a terminal's history and screen, and what comes
 * back. Schemas only: no logic, and nothing here knows a door or the engine.
 */
import { z } from 'zod';
import { terminalId } from './terminal.js';

export const DEFAULT_MAX_LINES = 1000;
export const DEFAULT_HEAD_LINES = 50;
export const DEFAULT_TAIL_LINES = 50;
/** A page is cut at a line end before it grows beyond this. */
export const DEFAULT_MAX_BYTES = 1 << 20;
export const MAX_PAGE_BYTES = 64 << 20;
export const MAX_PAGE_LINES = 10_000_000;
/** Longest that any one request may wait. */
export const MAX_WAIT_MS = 60 * 60_000;

export const outputMode = z.enum(['full', 'head', 'tail', 'head-tail']);
export const outputFormat = z
  .enum(['text', 'ansi', 'raw'])
  .describe('`text`: as seen, no escape codes. `ansi`: text with colours. `raw`: the bytes the program wrote.');
export const screenFormat = outputFormat.exclude(['raw']);

const lineCount = (what: string) => z.int().min(0).max(MAX_PAGE_LINES).optional().describe(what);

/** Which part of an output to show; `output-part.ts` says what counts where something is left out. */
const outputPart = {
  mode: outputMode
    .optional()
    .describe(
      'Which part of those lines to show. Default: `full`; where only `headLines` is given `head`, where only ' +
        '`tailLines` is given `tail`, where both are `head-tail`.',
    ),
  headLines: lineCount('Lines to show at the start, for `head` and `head-tail`. Default: 50.'),
  tailLines: lineCount('Lines to show at the end, for `tail` and `head-tail`. Default: 50.'),
  maxLines: z
    .int()
    .min(1)
    .max(MAX_PAGE_LINES)
    .optional()
    .describe(
      'Most lines in one answer; `hasMore` and `nextReadFrom` lead on. Default: 1000, or as many as `headLines` and ' +
        '`tailLines` ask for. Not for `raw`.',
    ),
  maxBytes: z
    .int()
    .min(1024)
    .max(MAX_PAGE_BYTES)
    .optional()
    .describe('Most bytes in one answer; it is cut at a line end (`raw`: at a character). Default: 1 MiB.'),
};

/** What to read. Reading consumes nothing: two readers see the same. */
export const readOutput = z
  .strictObject({
    since: z.int().min(0).describe('First line wanted, by its number. Default: the oldest line held.').optional(),
    cursor: z
      .string()
      .max(256)
      .optional()
      .describe('The `cursor` of an earlier answer: gives just what is new since then. Not with `since`.'),
    ...outputPart,
    format: outputFormat.default('text'),
    entries: z
      .boolean()
      .default(false)
      .describe('true: give each line shown once more on its own, with its number and time. Not with `raw`.'),
    timeoutMs: z
      .int()
      .min(0)
      .max(MAX_WAIT_MS)
      .default(0)
      .describe('If there is nothing new yet, wait up to this many milliseconds for it.'),
  })
  .refine((value) => value.since === undefined || value.cursor === undefined, {
    path: ['cursor'],
    error: 'give either `since` or `cursor`, not both',
  })
  .refine((value) => !(value.entries && value.format === 'raw'), {
    path: ['entries'],
    error: 'raw output has no lines: ask for format text or ansi',
  });
export type ReadOutput = z.input<typeof readOutput>;

/** Asks for an answer that holds no output. */
export const NO_OUTPUT = { mode: 'tail', tailLines: 0 } as const satisfies ReadOutput;
/** As it was asked: what of it may be left out. */
export type ReadRequest = z.output<typeof readOutput>;

/** A line on its own. */
export const outputEntry = z.strictObject({
  line: z.int().describe('Its number.'),
  time: z.iso.datetime().describe('When it began (UTC).'),
  text: z.string().describe('What it says, in the format asked for; after a cursor, the rest of it.'),
});
export type OutputEntry = z.infer<typeof outputEntry>;

/** Named, so that nothing is cut in silence. */
export const cutBy = z
  .enum(['maxLines', 'maxBytes'])
  .nullable()
  .describe('The limit that kept out lines which `mode`, `headLines` and `tailLines` ask for; null: none did.');
export type CutBy = z.infer<typeof cutBy>;

/** One answer to a read. The first five fields and the first four of `stats` are the seed's. */
export const outputPage = z.strictObject({
  output: z.string().describe('The lines, joined by \\n.'),
  totalLines: z.int().describe('Lines of output so far, those no longer held included.'),
  nextReadFrom: z
    .int()
    .describe('What to give as `since` next time. An unfinished last line is counted as not yet read.'),
  hasMore: z.boolean().describe('Whether lines beyond this answer exist already.'),
  truncated: z.boolean().describe('Whether any line that was asked for is missing from this answer.'),
  cutBy,
  cursor: z.string().describe('What to give as `cursor` next time: no loss, no repetition.'),
  fromLine: z.int().describe('Number of the first line shown (of the line it continues, after a cursor).'),
  continuesLine: z
    .boolean()
    .describe('Whether the output goes on in the middle of line `fromLine`, whose start was read before.'),
  mutableFrom: z
    .int()
    .describe(
      'Lines from this number on are still on the screen and may yet change; those before are final. Of a lost ' +
        'terminal: were on the screen when they were saved, and the last may be cut off.',
    ),
  rewrittenFrom: z
    .int()
    .nullable()
    .describe('Lines from this number on, read before with this cursor, have changed and are given anew; or null.'),
  droppedLines: z.int().describe('How many of the lines asked for are no longer held.'),
  droppedFrom: z.int().nullable().describe('Number of the first of those, or null.'),
  isActive: z.boolean().describe('Whether the program still runs.'),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  entries: z.array(outputEntry).optional().describe('Each line shown on its own; only when asked for.'),
  stats: z.strictObject({
    totalBytes: z.int().describe('Bytes of output so far.'),
    estimatedTokens: z.int().describe('About how many tokens all lines held would cost a model.'),
    linesShown: z.int().describe('Lines in this answer.'),
    linesOmitted: z.int().describe('Lines asked for that are not in this answer, whatever the reason.'),
    shownBytes: z.int().describe('Bytes (UTF-8) of `output`.'),
    shownTokens: z.int().describe('About how many tokens `output` costs a model.'),
  }),
});
export type OutputPage = z.infer<typeof outputPage>;

/** The seed's statistics of a terminal. */
export const terminalStats = z.strictObject({
  terminalId,
  totalLines: z.int().describe('Lines of output so far, those no longer held included.'),
  totalBytes: z.int().describe('Bytes of output so far.'),
  estimatedTokens: z.int().describe('About how many tokens all lines held would cost a model.'),
  bufferSize: z.int().describe('Lines held now.'),
  oldestLine: z.int().describe('Number of the oldest line held.'),
  newestLine: z.int().describe('Number of the newest line; one less than oldestLine when none is held.'),
  isActive: z.boolean(),
  history: z
    .strictObject({
      place: z
        .enum(['disk', 'memory'])
        .describe('`disk`: lines dropped from memory can be read still, and outlive the process that holds them.'),
      state: z
        .enum(['ok', 'degraded'])
        .describe('`degraded`: the disk does not take more (full, too slow, failing); `reason` says why.'),
      reason: z.string().nullable(),
      memoryBytes: z.int().describe('Bytes of history in memory.'),
      diskBytes: z.int().describe('Bytes of history on disk.'),
      savedLines: z.int().describe('Lines that are on disk: those before this number, from `oldestLine` on.'),
      droppedLines: z
        .int()
        .describe('Lines no longer held anywhere: those before `oldestLine`, and those damaged on disk.'),
      limits: z.strictObject({
        memoryLines: z.int(),
        memoryBytes: z.int(),
        diskBytes: z.int().describe('For this terminal. 0 where the history is in memory only.'),
        diskBytesTotal: z.int().describe('For all terminals together.'),
        diskAgeMs: z.int().describe('Older history of an ended terminal is dropped; 0 = never.'),
      }),
    })
    .describe('Where the history is kept, and within which limits.'),
});
export type TerminalStats = z.infer<typeof terminalStats>;

/** What a VT100 would show now. */
export const terminalScreen = z.strictObject({
  cols: z.int(),
  rows: z.int(),
  cursor: z.strictObject({
    x: z.int().describe('Column, from 0; equal to `cols` when the next character will wrap.'),
    y: z.int().describe('Row, from 0.'),
    visible: z.boolean(),
  }),
  title: z.string(),
  alternate: z.boolean().describe('Whether the alternate screen is shown (vim, less, htop).'),
  modes: z.strictObject({
    applicationCursorKeys: z.boolean(),
    applicationKeypad: z.boolean(),
    bracketedPaste: z.boolean(),
    insert: z.boolean(),
    origin: z.boolean(),
    reverseWraparound: z.boolean(),
    sendFocus: z.boolean(),
    synchronizedOutput: z.boolean(),
    wraparound: z.boolean(),
    mouseTracking: z.enum(['none', 'x10', 'vt200', 'drag', 'any']),
  }),
  lines: z.array(z.string()).describe('One string a row, top to bottom, without trailing blanks.'),
  offset: z.int().describe('How many bytes of output this screen is the result of.'),
});
export type TerminalScreen = z.infer<typeof terminalScreen>;

/**
 * All that is needed to show a terminal to a newcomer: written to a fresh terminal emulator of the same size,
 * `data` brings it to what the program's screen shows, modes and all. What follows is the output from `offset` on.
 */
export const terminalSnapshot = z.strictObject({
  cols: z.int(),
  rows: z.int(),
  offset: z.int().describe('How many bytes of output the snapshot is the result of: where to subscribe from.'),
  data: z.string().describe('Text with control sequences.'),
});
export type TerminalSnapshot = z.infer<typeof terminalSnapshot>;
