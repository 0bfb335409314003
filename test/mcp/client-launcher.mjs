/** Starts the program that its arguments name, and ends as that does. It is here to load a module (the relay) beside a program that loads none. */
import { spawn } from 'node:child_process';

const [file, ...args] = process.argv.slice(2);
spawn(file, args, { stdio: 'inherit' }).once('close', (code) => process.exit(code ?? 1));
