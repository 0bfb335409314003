/** The built command, and the client that it checks in the tests. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const TSX = createRequire(import.meta.url).resolve('tsx');

export const ACP_CHECK = [process.execPath, join(import.meta.dirname, '..', 'dist', 'main.js')] as const;
/** A client for one turn; its first argument is the case whose rule it breaks, or empty. Then follows its agent. */
export const BREAKABLE_CLIENT = [
  process.execPath,
  '--import',
  TSX,
  join(import.meta.dirname, 'fixtures', 'client.ts'),
] as const;
