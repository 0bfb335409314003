/** Tests that the tables of the README list every case of the check, for each client. */
import { readFileSync } from 'node:fs';
import { CASE_GROUPS, CASES } from '../src/cases.js';
import { acpxVerdicts, README, withCheckTables } from './page.js';

it('is documented for each case and each client', () => {
  expect(acpxVerdicts().map((verdict) => verdict.name)).toEqual(CASES.map((one) => one.name));
  const document = readFileSync(README, 'utf8');
  expect(withCheckTables(document, CASE_GROUPS)).toBe(document);
});
