/** Runs the cases of every subject with busybox. */
import { describeShell } from './cases/cases.js';

describeShell('busybox');
