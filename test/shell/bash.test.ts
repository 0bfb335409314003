/** Runs the cases of every subject with bash. */
import { describeShell } from './cases/cases.js';

describeShell('bash');
