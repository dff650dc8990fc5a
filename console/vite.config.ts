/** How the console is built: one page, heavy parts loaded when they are first shown, file names that carry their hash. */
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/** Where the platform answers while the console is worked on: `npx vite console`. */
const PLATFORM = process.env['KAIRSHIP_URL'] ?? 'http://127.0.0.1:7300';

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: resolve(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    // The budget is kept by a test, which knows what is loaded at first.
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
  },
  server: {
    host: '127.0.0.1',
    proxy: { '^/(apis|instances/[^/]+/kube|signin|signout|[\\w.]+Service)(/|$|\\?)': PLATFORM },
  },
});
