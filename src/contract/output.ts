/**
 * Defines the schemas for reading: requests for a terminal's history and screen, and the responses. Contains no logic
 * and does not depend on the API layer or the engine.
 */
import { z } from 'zod';
import { terminalId } from './terminal.js';

export const DEFAULT_MAX_LINES = 1000;
export const DEFAULT_HEAD_LINES = 50;
export const DEFAULT_TAIL_LINES = 50;
/** A page is cut at a line ending before it exceeds this size. */
export const DEFAULT_MAX_BYTES = 1 << 20;
/** A page is encoded in one piece, and while a host does that, it does nothing for its other terminals. */
export const MAX_PAGE_BYTES = 4 << 20;
/** Number of bytes that a line costs in addition to its text if the page has an entry for it. */
export const ENTRY_BYTES = 64;
export const MAX_PAGE_LINES = 10_000_000;
/** Maximum wait of any request. */
export const MAX_WAIT_MS = 60 * 60_000;

export const outputMode = z.enum(['full', 'head', 'tail', 'head-tail']);
export const outputFormat = z
  .enum(['text', 'ansi', 'raw'])
  .describe('`text`: without escape codes. `ansi`: with colours. `raw`: the bytes as written.');
export const screenFormat = outputFormat.exclude(['raw']);
export type OutputFormat = z.output<typeof outputFormat>;
export type ScreenFormat = z.output<typeof screenFormat>;

const lineCount = (what: string) => z.int().min(0).max(MAX_PAGE_LINES).optional().describe(what);

/** Selects a part of an output; `output-part.ts` defines the defaults. */
const outputPart = {
  mode: outputMode
    .optional()
    .describe(
      'The part to return. Default: `full`, or `head` with `headLines`, `tail` with `tailLines`, `head-tail` with ' +
        'both.',
    ),
  headLines: lineCount('Lines from the start, for `head` and `head-tail`. Default: 50.'),
  tailLines: lineCount('Lines from the end, for `tail` and `head-tail`. Default: 50.'),
  maxLines: z
    .int()
    .min(1)
    .max(MAX_PAGE_LINES)
    .optional()
    .describe(
      'Maximum number of lines; continue from `nextReadFrom` if `hasMore`. Default: 1000, or `headLines` + ' +
        '`tailLines`. Not for `raw`.',
    ),
  maxBytes: z
    .int()
    .min(1024)
    .max(MAX_PAGE_BYTES)
    .optional()
    .describe('Maximum number of bytes; output is cut at a line ending (`raw`: at a character). Default: 1 MiB.'),
};

/** What to read. Reading consumes nothing: two readers see the same output. */
export const readOutput = z
  .strictObject({
    since: z.int().min(0).describe('Number of the first line to return. Default: the oldest held line.').optional(),
    cursor: z
      .string()
      .max(256)
      .optional()
      .describe('The `cursor` of an earlier response: returns only new output. Excludes `since`.'),
    ...outputPart,
    format: outputFormat.default('text'),
    entries: z
      .boolean()
      .default(false)
      .describe('true: also return each line with its number and time. Not with `raw`.'),
    timeoutMs: z
      .int()
      .min(0)
      .max(MAX_WAIT_MS)
      .default(0)
      .describe('Milliseconds to wait for new output if there is none.'),
  })
  .refine((value) => value.since === undefined || value.cursor === undefined, {
    path: ['cursor'],
    error: 'give either `since` or `cursor`, not both',
  })
  .refine((value) => !(value.entries && value.format === 'raw'), {
    path: ['entries'],
    error: 'raw output has no lines; request format text or ansi',
  });
export type ReadOutput = z.input<typeof readOutput>;

/** Requests a response without output. */
export const NO_OUTPUT = { mode: 'tail', tailLines: 0 } as const satisfies ReadOutput;
/** A checked request, with optional parameters still absent. */
export type ReadRequest = z.output<typeof readOutput>;

/** A single line. */
export const outputEntry = z.strictObject({
  line: z.int().describe('Number of the line.'),
  time: z.iso.datetime().describe('When the line began (UTC).'),
  text: z.string().describe('Text of the line in the requested format; after a cursor, the rest of the text.'),
});
export type OutputEntry = z.infer<typeof outputEntry>;

/** Says explicitly what was cut, so that no output is cut silently. */
export const cutBy = z
  .enum(['maxLines', 'maxBytes'])
  .nullable()
  .describe('The limit that cut requested lines, or null.');
export type CutBy = z.infer<typeof cutBy>;

/** The response to a read. The first five fields, and the first four fields of `stats`, come from the original API. */
export const outputPage = z.strictObject({
  output: z.string().describe('The lines, joined by \\n.'),
  totalLines: z.int().describe('Lines of output so far, including dropped ones.'),
  nextReadFrom: z.int().describe('The `since` to continue with. An unfinished last line counts as unread.'),
  hasMore: z.boolean().describe('Whether more lines are already available.'),
  truncated: z.boolean().describe('Whether a requested line is missing from this response.'),
  cutBy,
  cursor: z.string().describe('The `cursor` to continue with: no output is lost or repeated.'),
  fromLine: z
    .int()
    .describe('Number of the first returned line; after a cursor, of the line that the output continues.'),
  continuesLine: z.boolean().describe('Whether the output continues in the middle of line `fromLine`.'),
  mutableFrom: z
    .int()
    .describe(
      'This line and all later lines are on the screen and may still change. For a lost terminal, they are as its ' +
        'host last saved them, and the last line may be cut off.',
    ),
  rewrittenFrom: z
    .int()
    .nullable()
    .describe(
      'The first line that has changed since it was read with this cursor. This line and all later lines are ' +
        'returned again. Null if none has changed.',
    ),
  droppedLines: z.int().describe('Number of requested lines that are no longer held.'),
  droppedFrom: z.int().nullable().describe('Number of the first dropped line, or null.'),
  isActive: z.boolean().describe('Whether the program is still running.'),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  entries: z.array(outputEntry).optional().describe('Each line, if requested.'),
  stats: z.strictObject({
    totalBytes: z.int().describe('Bytes of output so far.'),
    estimatedTokens: z.int().describe('Estimated tokens of all held lines.'),
    linesShown: z.int().describe('Lines in this response.'),
    linesOmitted: z.int().describe('Requested lines that are not in this response.'),
    shownBytes: z.int().describe('Bytes of `output` in UTF-8.'),
    shownTokens: z.int().describe('Estimated tokens of `output`.'),
  }),
});
export type OutputPage = z.infer<typeof outputPage>;

/** Statistics of a terminal, as in the original API. */
export const terminalStats = z.strictObject({
  terminalId,
  totalLines: z.int().describe('Lines of output so far, including dropped ones.'),
  totalBytes: z.int().describe('Bytes of output so far.'),
  estimatedTokens: z.int().describe('Estimated tokens of all held lines.'),
  bufferSize: z.int().describe('Number of held lines.'),
  oldestLine: z.int().describe('Number of the oldest held line.'),
  newestLine: z.int().describe('Number of the newest line; `oldestLine` - 1 if none is held.'),
  isActive: z.boolean(),
  history: z
    .strictObject({
      place: z
        .enum(['disk', 'memory'])
        .describe('`disk`: lines dropped from memory stay readable and survive a crash.'),
      state: z.enum(['ok', 'degraded']).describe('`degraded`: the disk is full, slow or failing; see `reason`.'),
      reason: z.string().nullable(),
      memoryBytes: z.int().describe('Bytes of history in memory.'),
      diskBytes: z.int().describe('Bytes of history on disk.'),
      savedLines: z.int().describe('Lines on disk: from `oldestLine` up to this number.'),
      droppedLines: z.int().describe('Lines no longer held: before `oldestLine`, or damaged on disk.'),
      limits: z.strictObject({
        memoryLines: z.int(),
        memoryBytes: z.int(),
        diskBytes: z.int().describe('For this terminal; 0 if in memory only.'),
        diskBytesTotal: z.int().describe('Across all terminals.'),
        diskAgeMs: z.int().describe('Retention after the terminal has ended; 0: forever.'),
      }),
    })
    .describe('Where the history is kept, and its limits.'),
});
export type TerminalStats = z.infer<typeof terminalStats>;

/** What a VT100 would show now. */
export const terminalScreen = z.strictObject({
  cols: z.int(),
  rows: z.int(),
  cursor: z.strictObject({
    x: z.int().describe('Column, from 0; `cols` if the next character wraps.'),
    y: z.int().describe('Row, from 0.'),
    visible: z.boolean(),
  }),
  title: z.string(),
  alternate: z.boolean().describe('Whether the alternate screen is active (vim, less, htop).'),
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
  lines: z.array(z.string()).describe('One string for each row, without trailing blanks.'),
  offset: z.int().describe('Offset in the output that this screen corresponds to.'),
});
export type TerminalScreen = z.infer<typeof terminalScreen>;

/** The modes of a screen that no program has changed. */
export const INITIAL_MODES: TerminalScreen['modes'] = {
  applicationCursorKeys: false,
  applicationKeypad: false,
  bracketedPaste: false,
  insert: false,
  origin: false,
  reverseWraparound: false,
  sendFocus: false,
  synchronizedOutput: false,
  wraparound: true,
  mouseTracking: 'none',
};

/**
 * Everything a new subscriber needs to display a terminal. Writing `data` to a fresh terminal emulator of the same size
 * reproduces the program's screen, including its modes. The output starting at `offset` follows it.
 */
export const terminalSnapshot = z.strictObject({
  cols: z.int(),
  rows: z.int(),
  offset: z.int().describe('Offset in the output that the snapshot corresponds to: subscribe from this offset.'),
  data: z.string().describe('Text with control sequences.'),
});
export type TerminalSnapshot = z.infer<typeof terminalSnapshot>;
