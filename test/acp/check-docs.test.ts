/** The tables of docs/acp.md have every case of the check, for each client. */
import { readFileSync } from 'node:fs';
import { CASE_GROUPS, CASES } from '../../src/acp/check/cases.js';
import { acpxVerdicts, withCheckTables } from './check-page.js';

it('is written down, for each case and each client', () => {
  expect(acpxVerdicts().map((verdict) => verdict.name)).toEqual(CASES.map((one) => one.name));
  const document = readFileSync('docs/acp.md', 'utf8');
  expect(withCheckTables(document, CASE_GROUPS)).toBe(document);
});
