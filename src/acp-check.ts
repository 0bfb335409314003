/** Where the check of ACP clients is handed to the command line. It needs no engine: the client under test has one. */
export { serveCheck } from './acp/check/agent.js';
export { checkClient } from './acp/check/check.js';
export type { CheckResult } from './acp/check/check.js';
export type { Case, Verdict } from './acp/check/case.js';
export { CASE_GROUPS, CASES, chosenCases } from './acp/check/cases.js';
