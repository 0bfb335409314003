/** Tests that the client runs in a browser: its bundle is small, and needs nothing of Node and no other package. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const MAX_BYTES = 12 << 10;

it('is small, and has no dependencies', async () => {
  const entry = join(import.meta.dirname, '..', '..', 'src', 'client', 'index.ts');
  const { outputFiles, metafile } = await build({
    ...{ entryPoints: [entry], bundle: true, minify: true, write: false, metafile: true },
    ...{ platform: 'browser', format: 'esm' },
  });
  const inputs = Object.keys(metafile.inputs).map((name) => name.replace(/^.*src\//, ''));
  expect(inputs.sort()).toEqual([
    'client/error.ts',
    'client/events.ts',
    'client/index.ts',
    'client/live-terminal.ts',
    'client/requests.ts',
    'client/retry.ts',
    'client/streams.ts',
  ]);
  expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThan(MAX_BYTES);
});
