/** Builds the page for browsers: `node scripts/page.mjs FOLDER`. Each file is also compressed, once, for all requests. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';

const WEB = join(dirname(dirname(fileURLToPath(import.meta.url))), 'web');
const outDir = resolve(process.argv[2]);

await build({ configFile: join(WEB, 'vite.config.ts'), logLevel: 'warn', build: { outDir } });
for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const path = join(entry.parentPath, entry.name);
  const bytes = readFileSync(path);
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${path}.br`, brotliCompressSync(bytes));
}
