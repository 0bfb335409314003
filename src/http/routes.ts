/**
 * The one table of routes. What is not in it does not exist; what is in it is checked, documented
 * and tested.
 */
import { commandRoutes } from './commands.js';
import { execRoutes } from './exec.js';
import { healthRoutes } from './health.js';
import { outputRoutes } from './output.js';
import type { Route } from './route.js';
import { searchRoutes } from './search.js';
import { terminalRoutes } from './terminals.js';

export const ROUTES: readonly Route[] = [
  ...terminalRoutes,
  ...execRoutes,
  ...commandRoutes,
  ...outputRoutes,
  ...searchRoutes,
  ...healthRoutes(() => ROUTES),
];
