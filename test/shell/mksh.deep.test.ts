/** Runs the cases of every subject with mksh. */
import { describeShell } from './cases/cases.js';

describeShell('mksh');
