/**
 * Defines the schemas for the end of a terminal: why it ended, when, and which setting caused it. Contains no logic and
 * does not depend on the API layer or the engine.
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
    '`exit`: the program ended by itself. `signal`: a signal ended it. `deleted`: a caller ended it. `command`: the ' +
      'terminal was to run one command, which has ended. `session_timeout`: the terminal was idle for too long. ' +
      '`running_timeout`, `time_limit`: it ran for too long. `shutdown`: its host process was stopped. ' +
      '`connection_closed`: its client stopped making requests. `unknown`: its host process was killed, or the ' +
      'machine restarted.',
  );
export type EndReason = z.infer<typeof endReason>;

export const endedBy = z
  .strictObject({
    reason: endReason,
    at: z.iso.datetime().describe('When the program ended; for a lost terminal, the time of its last sign of life.'),
    setting: z.string().optional().describe('The setting, or the field of the create request, that set the timeout.'),
  })
  .nullable()
  .describe('Why and when the program ended; null while it is running.');
export type EndedBy = NonNullable<z.infer<typeof endedBy>>;

/** What happens to a terminal when its client disappears without closing it. */
export const clientConnection = z
  .strictObject({
    timeoutMs: z.int().min(1).describe('Milliseconds without a request until the client counts as gone.'),
    ends: z
      .enum(['idle', 'all'])
      .default('idle')
      .describe(
        '`idle`: end the terminal only if it is a shell at an empty prompt. `all`: end it whatever it is running.',
      ),
  })
  .describe(
    'Ends the terminal (reason `connection_closed`) when its client stops making requests for it. Default: never.',
  );

/** Why a caller ends a terminal. */
export const callersReason = endReason
  .extract(['deleted', 'connection_closed'])
  .default('deleted')
  .describe("The reason. `connection_closed`: the terminal's client stopped making requests.");
