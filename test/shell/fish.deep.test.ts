/** Runs the cases of every subject with fish. */
import { describeShell } from './cases/cases.js';

describeShell('fish');
