/** `npm run key`: sets up what is missing, then runs `tenacitty key`, or its help if no action is given. */
import { fileURLToPath } from 'node:url';
import { build, checkPlatform, install } from './setup.mjs';

checkPlatform();
install();
build();

const main = new URL('../dist/cli/main.js', import.meta.url);
const words = process.argv.slice(2);
process.argv.splice(1, process.argv.length, fileURLToPath(main), 'key', ...(words.length > 0 ? words : ['--help']));
await import(main);
