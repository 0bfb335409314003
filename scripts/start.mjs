/**
 * `npm start`: sets up what is missing, then runs the server in this same process, so that a second start takes little
 * longer than the server itself.
 */
import { fileURLToPath } from 'node:url';
import { build, checkPlatform, install } from './setup.mjs';

checkPlatform();
install();
build();

const main = new URL('../dist/cli/main.js', import.meta.url);
process.argv.splice(1, 1, fileURLToPath(main), 'serve');
await import(main);
