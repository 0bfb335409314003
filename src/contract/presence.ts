/**
 * Defines the schemas for the people and programs that are viewing a terminal through live connections. Contains no
 * logic.
 */
import { z } from 'zod';
import { shownName } from './control.js';

/** Maximum number of viewers listed; all viewers are counted. */
export const MAX_LISTED_VIEWERS = 50;

export const liveRole = z.enum(['viewer', 'controller']);
export type LiveRole = z.infer<typeof liveRole>;

/** A subscriber that is shown to others. */
export const viewer = z.strictObject({
  name: shownName.describe('The name that the client gave itself; shown to people, not verified.'),
  role: liveRole,
});
export type Viewer = z.infer<typeof viewer>;

export const presence = z.strictObject({
  viewers: z
    .array(viewer.extend({ since: z.iso.datetime() }))
    .describe(`The clients that are viewing the terminal, at most ${MAX_LISTED_VIEWERS}, in order of arrival.`),
  count: z.int().describe('Number of viewers.'),
});
export type Presence = z.infer<typeof presence>;
