/**
 * Starts the program named by its arguments, and exits with its exit code. Used to load a module (the relay) next to a
 * program that cannot load one.
 */
import { spawn } from 'node:child_process';

const [file, ...args] = process.argv.slice(2);
spawn(file, args, { stdio: 'inherit' }).once('close', (code) => process.exit(code ?? 1));
