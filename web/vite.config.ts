/** How the page is built: hashed files in `dist`, no inline code, and a map of its own for nothing. */
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  resolve: { alias: { 'tenacitty/client': new URL('../src/client/index.ts', import.meta.url).pathname } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    // An inlined file would be a data: URL, which the page's policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
