/**
 * Defines the messages of a live terminal (subprotocol `tenacitty.v1`): what the server and its clients send as JSON.
 * Output itself is sent as binary messages: eight bytes with the offset of the first byte (big endian, unsigned), then
 * bytes.
 */
import { z } from 'zod';
import { commandRecord } from './command.js';
import { controlTerminal, holder, shownName } from './control.js';
import { endedBy } from './ending.js';
import { liveRole, presence } from './presence.js';
import { signalName, terminalSize } from './terminal.js';
import { waiting } from './waiting.js';

export { liveRole, type LiveRole } from './presence.js';

export const LIVE_PROTOCOL = 'tenacitty.v1';
/** Bytes before the output in a binary message. */
export const LIVE_OFFSET_BYTES = 8;
/** Maximum size of a message from a client. */
export const MAX_LIVE_MESSAGE_BYTES = 1 << 20;
/** Close codes, as WebSocket assigns them. */
export const LIVE_CLOSE = { ended: 1000, goingAway: 1001, notJson: 1007, refused: 1008, failed: 1011 } as const;

const offset = z.int().min(0);
const seq = z.int().min(0);

/** The query of the connection. */
export const liveQuery = z.strictObject({
  role: liveRole
    .default('controller')
    .describe('The requested role: a `viewer` cannot type. The server grants at most the role that the caller has.'),
  from: offset
    .optional()
    .describe(
      'Resume the output at this offset. If that output is no longer held, a `gap` and a `snapshot` come first.',
    ),
  snapshot: z
    .boolean()
    .optional()
    .describe('Whether a snapshot comes first. Default: true without `from`, otherwise false.'),
  name: shownName.optional().describe('Name to show to others. Default: the name of the user or the key.'),
});
export type LiveQuery = z.infer<typeof liveQuery>;

const input = z
  .strictObject({
    type: z.literal('input'),
    seq: seq.describe(
      'Number of this input, which must be higher than the number of the previous input; gaps are allowed. If it is ' +
        'not higher, the input is acknowledged but not typed.',
    ),
    writer: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe(
        'Name of the sender that numbers the inputs. Keep it across connections, so that each input is typed at ' +
          'most once. Default: a name that is valid for this connection only.',
      ),
    text: z.string().optional().describe('Text, typed exactly as sent.'),
    keys: z.array(z.string().min(1).max(32)).max(1024).optional().describe('Named keys, as in REST.'),
    data: z.base64().optional().describe('Bytes in base64.'),
  })
  .refine(({ text, keys, data }) => [text, keys, data].filter((given) => given !== undefined).length === 1, {
    path: ['text'],
    error: 'give exactly one of `text`, `keys` and `data`',
  })
  .describe('Types into the terminal: exactly one of `text`, `keys` and `data`.');

/** What a client sends, by `type`. */
export const LIVE_REQUESTS = {
  input,
  resize: terminalSize.extend({ type: z.literal('resize') }).describe('Resizes the terminal.'),
  signal: z
    .strictObject({ type: z.literal('signal'), signal: signalName })
    .describe('Sends a signal to the foreground process group.'),
  control: controlTerminal
    .omit({ holdMs: true })
    .extend({ type: z.literal('control') })
    .describe('Holds the terminal for this connection, or hands it back.'),
  drawn: z
    .strictObject({ type: z.literal('drawn'), offset })
    .describe(
      'The client has drawn all output before this offset. Has an effect only while this connection holds the ' +
        'terminal.',
    ),
  ping: z.strictObject({ type: z.literal('ping') }).describe('Requests a `pong`.'),
} as const;
export type LiveRequestType = keyof typeof LIVE_REQUESTS;
export type LiveRequest<Type extends LiveRequestType = LiveRequestType> = z.infer<(typeof LIVE_REQUESTS)[Type]>;

/** What the server sends as JSON. */
export const liveMessage = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('hello'),
      terminalId: z.string(),
      role: liveRole,
      ...terminalSize.shape,
      offset: offset.describe('End of the output at this moment.'),
      writer: z.string().describe('The writer name of inputs that do not name a writer.'),
      holder,
      limits: z.strictObject({ messageBytes: z.int().describe('Maximum size of a message from the client.') }),
    })
    .describe('The first message.'),
  z
    .strictObject({
      type: z.literal('snapshot'),
      at: offset.describe('Offset where the output that follows begins.'),
      ...terminalSize.shape,
      data: z.string().describe('Text that paints the screen on a fresh emulator of this size.'),
    })
    .describe('The screen that the output continues from.'),
  z
    .strictObject({ type: z.literal('gap'), from: offset, to: offset })
    .describe('The output from `from` up to `to` (exclusive) is not sent; a snapshot follows.'),
  z
    .strictObject({ type: z.literal('size'), ...terminalSize.shape })
    .describe('The size of the terminal for the output that follows.'),
  z.strictObject({ type: z.literal('title'), title: z.string() }).describe('The program has set a new title.'),
  z
    .strictObject({ type: z.literal('control'), holder })
    .describe('The holder of the terminal has changed, or the terminal is no longer held.'),
  z
    .strictObject({ type: z.literal('waiting'), waiting })
    .describe('A program has started or stopped waiting for input. Also sent on connecting.'),
  z
    .strictObject({ type: z.literal('presence'), ...presence.shape })
    .describe(
      'The clients that are viewing the terminal through live connections. Also sent on connecting; at most twice ' +
        'per second.',
    ),
  z
    .strictObject({ type: z.literal('command'), phase: z.enum(['began', 'ended']), command: commandRecord })
    .describe('A command has begun or ended. May be sent again after a resumption.'),
  z
    .strictObject({
      type: z.literal('ended'),
      endedBy,
      exitCode: z.int().nullable(),
      signal: z.string().nullable(),
    })
    .describe('The program has ended.'),
  z
    .strictObject({ type: z.literal('ack'), seq })
    .describe('The input was typed, or its number was repeated or too low.'),
  z.strictObject({ type: z.literal('pong') }).describe('The response to `ping`.'),
  z
    .strictObject({
      type: z.literal('error'),
      code: z.string(),
      message: z.string(),
      about: z
        .union([z.int(), z.string()])
        .nullable()
        .describe('The `seq` of the input that failed, or the `type` of the message that failed.'),
    })
    .describe(
      'Reports a failure. The server did not carry out the message in `about`; if `about` is null, the connection ' +
        'itself failed.',
    ),
]);
export type LiveMessage = z.infer<typeof liveMessage>;
