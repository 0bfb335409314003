/** All rows, in the order in which they are measured and shown. */
import type { BenchRow } from '../row.js';
import { acp } from './acp.js';
import { ctrlC } from './ctrl-c.js';
import { echo } from './echo.js';
import { exec } from './exec.js';
import { exitLoss } from './exit-loss.js';
import { floodCursor } from './flood-cursor.js';
import { floodHost } from './flood-host.js';
import { floodColoured, floodPlain } from './flood-log.js';
import { liveEcho } from './live-echo.js';
import { liveFlood } from './live-flood.js';
import { liveViewers } from './live-viewers.js';
import { mcp } from './mcp.js';
import { mcpTokens } from './mcp-tokens.js';
import { memory } from './memory.js';
import { overview } from './overview.js';
import { readUnderFlood } from './read-under-flood.js';
import { run } from './run.js';
import { start } from './start.js';
import { tail } from './tail.js';

export const ROWS: readonly BenchRow[] = [
  floodPlain,
  floodColoured,
  floodCursor,
  floodHost,
  echo,
  liveFlood,
  liveEcho,
  liveViewers,
  ctrlC,
  exec,
  mcp,
  mcpTokens,
  acp,
  tail,
  readUnderFlood,
  overview,
  memory,
  start,
  run,
  exitLoss,
];
