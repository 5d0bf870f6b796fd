import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { compress } from './compress';

/*
 * The built files are committed inside the Python package, so that installing it needs no Node.
 * Their names carry no hashes: the server sends an ETag with each, and a diff shows what changed.
 */
export default defineConfig({
  base: './',
  plugins: [svelte(), compress()],
  build: {
    outDir: '../src/fernzug/server/static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/app.js',
        chunkFileNames: 'assets/[name].js',
        assetFileNames: 'assets/app[extname]',
      },
    },
  },
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:8000',
      '/ws': { target: 'ws://127.0.0.1:8000', ws: true },
    },
  },
  test: { include: ['tests/**/*.test.ts'] },
});
