/** Runs the cases of every subject with zsh. */
import { describeShell } from './cases/cases.js';

describeShell('zsh');
