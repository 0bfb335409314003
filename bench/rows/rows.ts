/** All rows, in the order in which they are measured and shown. */
import type { Row } from '../row.js';
import { acp } from './acp.js';
import { ctrlC } from './ctrl-c.js';
import { echo } from './echo.js';
import { exec } from './exec.js';
import { exitLoss } from './exit-loss.js';
import { floodCursor } from './flood-cursor.js';
import { floodHost } from './flood-host.js';
import { floodColoured, floodPlain } from './flood-log.js';
import { mcp } from './mcp.js';
import { mcpTokens } from './mcp-tokens.js';
import { memory } from './memory.js';
import { readUnderFlood } from './read-under-flood.js';
import { run } from './run.js';
import { start } from './start.js';
import { tail } from './tail.js';

export const ROWS: readonly Row[] = [
  floodPlain,
  floodColoured,
  floodCursor,
  floodHost,
  echo,
  ctrlC,
  exec,
  mcp,
  mcpTokens,
  acp,
  tail,
  readUnderFlood,
  memory,
  start,
  run,
  exitLoss,
];
