/** The build whose commands and hosts the tests start. It knows nothing of them. */
import { join } from 'node:path';

/** `dist`; in a whole run a copy of it whose processes tell what was run of it (scripts/coverage.mjs). */
export const BUILD = process.env['BUILD_UNDER_TEST'] ?? join(import.meta.dirname, '..', 'dist');
