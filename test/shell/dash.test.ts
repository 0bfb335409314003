/** Runs the cases of every subject with dash. */
import { describeShell } from './cases/cases.js';

describeShell('dash');
