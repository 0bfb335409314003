/** The build whose commands and hosts the tests start. */
import { join } from 'node:path';

/** `dist`, or in a complete deep run a build whose processes report coverage (scripts/coverage.mjs). */
export const BUILD = process.env['BUILD_UNDER_TEST'] ?? join(import.meta.dirname, '..', 'dist');
