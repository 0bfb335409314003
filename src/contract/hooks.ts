/**
 * Defines the schemas for hooks, which report events of terminals to a URL or a command. Contains no logic and does not
 * depend on the API layer or on how events are delivered.
 */
import { z } from 'zod';
import { MAX_REGEX_CHARS } from './command.js';
import { terminalLabels } from './labels.js';
import { terminalName } from './name.js';
import { MAX_WAIT_MS } from './output.js';
import { terminalId } from './terminal.js';

/** Maximum number of hooks per data directory. */
export const MAX_HOOKS = 100;
/** Maximum number of hooks created with one key, so that no key uses up the total. */
export const MAX_HOOKS_PER_KEY = 50;
/** Maximum number of undelivered events per hook. */
export const MAX_PENDING_EVENTS = 1000;
/** Maximum size of the undelivered events of one hook, as JSON. */
export const MAX_PENDING_BYTES = 1 << 20;
/** Maximum size of the undelivered events across all hooks. */
export const MAX_ALL_PENDING_BYTES = 32 << 20;
/** Number of lines that `include: "tail"` adds to an event. */
export const HOOK_TAIL_LINES = 20;

export const hookEventType = z
  .enum(['ended', 'command', 'waiting', 'match', 'quiet'])
  .describe(
    '`ended`: the program of a terminal has ended. `command`: a command has ended. `waiting`: a program is waiting ' +
      'for input. `match`: `pattern` was printed. `quiet`: nothing was printed for `quietMs`.',
  );
export type HookEventType = z.infer<typeof hookEventType>;

const NO_NUL = /^[^\0]+$/;

const url = z
  .url({ protocol: /^https?$/, error: 'an http or https URL' })
  .max(2048)
  .refine((given) => !/^[^/]*\/\/[^/?#]*@/.test(given), { error: 'a URL without user name and password' })
  .describe('URL that receives each event in a signed POST request. Redirects are not followed.');

const secret = z
  .string()
  .regex(/^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, {
    error: '`whsec_` and 24 to 64 bytes in base64',
  })
  .describe('Secret that signs the requests. Default: a random one.');

const fields = {
  on: z.array(hookEventType).min(1).max(hookEventType.options.length).describe('The events to report.'),
  filter: z
    .strictObject({
      ids: z.array(terminalId).min(1).max(MAX_HOOKS).optional().describe('Only these terminals.'),
      labels: terminalLabels.optional().describe('Only terminals that have all of these labels, with these values.'),
      names: z.array(terminalName).min(1).max(MAX_HOOKS).optional().describe('Only terminals with these names.'),
    })
    .default({})
    .describe('The terminals to report on. Default: all.'),
  url: url.optional(),
  exec: z
    .string()
    .min(1)
    .max(4096)
    .regex(NO_NUL, { error: 'text without a NUL character' })
    .optional()
    .describe("Command for `sh`, which receives each event as JSON on its stdin. Only for the server's own user."),
  include: z.literal('tail').optional().describe(`The last ${HOOK_TAIL_LINES} lines of output. Default: no output.`),
  longerThanMs: z.int().min(0).optional().describe('For `command`: only commands that ran for at least this long.'),
  failed: z.boolean().optional().describe('For `command`: whether to report only commands that failed.'),
  pattern: z
    .string()
    .min(1)
    .max(MAX_REGEX_CHARS)
    .optional()
    .describe('For `match`: regular expression for new output (RE2 syntax). It must not match an empty text.'),
  quietMs: z
    .int()
    .min(1000)
    .max(MAX_WAIT_MS / 2)
    .optional()
    .describe('For `quiet`: milliseconds without output.'),
};

/** The event that each of these fields applies to, and whether that event requires the field. */
const CONDITIONS = [
  ['longerThanMs', 'command', false],
  ['failed', 'command', false],
  ['pattern', 'match', true],
  ['quietMs', 'quiet', true],
] as const;

/** What to report, and where to deliver it. */
export const createHook = z.strictObject({ ...fields, secret: secret.optional() }).superRefine((given, context) => {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  for (const [field, event, isNeeded] of CONDITIONS) {
    const isReported = given.on.includes(event);
    if (given[field] !== undefined && !isReported) refuse(field, `has no effect without the event ${event}`);
    if (given[field] === undefined && isReported && isNeeded) refuse(field, `is needed for the event ${event}`);
  }
  if ((given.url === undefined) === (given.exec === undefined)) refuse('url', 'give exactly one of `url` and `exec`');
  if (given.exec !== undefined && given.secret !== undefined) refuse('secret', 'has no effect without `url`');
});
export type CreateHook = z.input<typeof createHook>;
export type HookRequest = z.output<typeof createHook>;

const isoTime = z.iso.datetime();

export const hookId = z.string().regex(/^[0-9a-f]{10}$/, { error: 'the id of a hook: ten hex digits' });

export const hookState = z.strictObject({
  pending: z.int().describe(`Events that have not been delivered yet, at most ${MAX_PENDING_EVENTS}.`),
  delivered: z.int().describe('Events that have been delivered.'),
  failed: z.int().describe('Events that could not be delivered and were abandoned.'),
  lastDelivered: isoTime.nullable(),
  lastError: z.strictObject({ at: isoTime, message: z.string() }).nullable(),
});
export type HookState = z.infer<typeof hookState>;

/** A hook as lists show it. */
export const shownHook = z.strictObject({
  id: hookId,
  created: isoTime,
  createdBy: z.string().describe('Name of the user or the key that created the hook.'),
  active: z.boolean().describe('false: the key that created the hook is no longer valid.'),
  ...fields,
  state: hookState,
});
export type ShownHook = z.infer<typeof shownHook>;

/** A new hook. */
export const createdHook = shownHook.extend({
  secret: z
    .string()
    .nullable()
    .describe('Secret that signs the requests. It is shown only in this response; null for `exec`.'),
});
export type CreatedHook = z.infer<typeof createdHook>;

/** What a hook delivers: the body of a request, or the stdin of a command. */
export interface HookEvent {
  /** Identifies the event; unchanged if the event is delivered again. */
  readonly id: string;
  readonly type: HookEventType;
  /** When it happened. */
  readonly timestamp: string;
  /** The event as a human-readable sentence. */
  readonly text: string;
  /** Whether it happened while no server was running. */
  readonly late: boolean;
  /** The terminal, and the fields for this type of event. */
  readonly data: Readonly<Record<string, unknown>>;
}
