/** `npm run key`: sets up what is missing, then is `tenacitty key`. */
import { fileURLToPath } from 'node:url';
import { build, checkPlatform, install } from './setup.mjs';

checkPlatform();
install();
build();

const main = new URL('../dist/cli/main.js', import.meta.url);
process.argv.splice(1, 1, fileURLToPath(main), 'key');
await import(main);
