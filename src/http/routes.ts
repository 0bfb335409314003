/** Lists all routes. Every route in this table is checked, documented and tested. */
import { answerLinkRoutes } from './routes/answer-links.js';
import { commandRoutes } from './routes/commands.js';
import { eventRoutes } from './routes/events.js';
import { execRoutes } from './routes/exec.js';
import { healthRoutes } from './routes/health.js';
import { hookRoutes } from './routes/hooks.js';
import { liveRoutes } from './routes/live.js';
import { outputRoutes } from './routes/output.js';
import { overviewRoutes } from './routes/overview.js';
import { recordingRoutes } from './routes/recordings.js';
import type { Route } from './route.js';
import { searchRoutes } from './routes/search.js';
import { signInRoutes } from './routes/sign-ins.js';
import { terminalRoutes } from './routes/terminals.js';

export const ROUTES: readonly Route[] = [
  ...terminalRoutes,
  ...execRoutes,
  ...commandRoutes,
  ...outputRoutes,
  ...recordingRoutes,
  ...liveRoutes,
  ...overviewRoutes,
  ...eventRoutes,
  ...searchRoutes,
  ...hookRoutes,
  ...signInRoutes,
  ...answerLinkRoutes,
  ...healthRoutes(() => ROUTES),
];
