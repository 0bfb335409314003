/**
 * The vocabulary of how a terminal came to its end: why, when, and which setting said so. Schemas only: no logic, and
 * nothing here knows a door or the engine.
 */
import { z } from 'zod';

export const END_REASONS = [
  'exit',
  'signal',
  'deleted',
  'session_timeout',
  'running_timeout',
  'time_limit',
  'command',
  'shutdown',
  'connection_closed',
  'unknown',
] as const;
export const endReason = z
  .enum(END_REASONS)
  .describe(
    '`exit`: the program ended by itself. `signal`: a signal ended it. `deleted`: a caller ended it. ' +
      '`command`: it was there for one command, which has ended. `session_timeout`, `running_timeout`, `time_limit`: it ' +
      'was quiet, or ran, for too long. `shutdown`: what holds it was stopped. `connection_closed`: whoever it belonged ' +
      'to has gone. ' +
      '`unknown`: what held it was killed, or the machine restarted.',
  );
export type EndReason = z.infer<typeof endReason>;

export const endedBy = z
  .strictObject({
    reason: endReason,
    at: z.iso.datetime().describe('When the program ended, or, of a lost terminal, was last heard of.'),
    setting: z.string().optional().describe('The setting, or the field given at creation, that set the time.'),
  })
  .nullable()
  .describe('Why and when the program ended; null while it runs.');
export type EndedBy = NonNullable<z.infer<typeof endedBy>>;

/** What comes of a terminal whose client has gone without a word. */
export const clientConnection = z
  .strictObject({
    timeoutMs: z
      .int()
      .min(1)
      .describe('The client has gone when it has asked nothing of the terminal for so long, in milliseconds.'),
    ends: z
      .enum(['idle', 'all'])
      .default('idle')
      .describe('What ends then: `idle`, a shell at an empty prompt with nothing running; `all`, whatever it runs.'),
  })
  .describe(
    'For the terminal of a client that asks something of it every now and then for as long as it is connected. What ends ' +
      'when it has gone says `connection_closed`. Default: nothing does.',
  );

/** Why a caller ends a terminal. */
export const callersReason = endReason
  .extract(['deleted', 'connection_closed'])
  .default('deleted')
  .describe('Why. `connection_closed`: whoever the terminal belonged to has gone.');
