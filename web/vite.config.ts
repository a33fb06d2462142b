// Built into the package, where `longhu serve` finds it. Nothing is inlined: the page runs under a policy without inline
// scripts and styles.
import { fileURLToPath } from 'node:url';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

import { shuffleCore } from './check_core.ts';
import { packed } from './packed.ts';

export const MESSAGES = { $messages: fileURLToPath(new URL('../src/longhu/messages', import.meta.url)) }; // the catalogues, which the server reads as well

export default defineConfig({
  resolve: { alias: MESSAGES },
  plugins: [svelte(), shuffleCore(), packed()],
  build: {
    outDir: '../src/longhu/server/page',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8270', ws: true } } },
});
