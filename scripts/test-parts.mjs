/** The parts of a test run in order, and the files that belong to each. */
import { relative, sep } from 'node:path';
import { ROOT } from './setup.mjs';

/** A file belongs to the first part that lists its folder, otherwise to the last part. */
const PARTS = [
  { name: 'pure code', folders: ['src/', 'test/history/', 'test/screen/', 'test/picture/', 'test/store/'] },
  { name: 'terminals', folders: ['test/pty/', 'test/engine/', 'test/conformance/'] },
  { name: 'shells', folders: ['test/shell/'] },
  { name: 'hosts and faults', folders: ['test/host/', 'test/faults/'] },
  { name: 'REST and access', folders: ['test/http/', 'test/hooks/', 'test/access/'] },
  { name: 'the page', folders: ['test/page/', 'test/web/'] },
  { name: 'MCP and ACP', folders: ['test/mcp/', 'test/acp/', 'packages/'] },
  { name: 'command line, documents, project', folders: ['test/'] },
];

/** Returns the part of a test file, as `{ index, name }`. */
export function partOf(path) {
  const place = relative(ROOT, path).split(sep).join('/');
  const index = PARTS.findIndex(({ folders }) => folders.some((folder) => place.startsWith(folder)));
  return { index, name: PARTS[index].name };
}

export const PART_COUNT = PARTS.length;
