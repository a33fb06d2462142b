import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

import { shuffleCore } from './check_core.ts';
import { MESSAGES } from './vite.config.ts';

export default defineConfig({
  plugins: [svelte(), shuffleCore()],
  resolve: { alias: MESSAGES },
  test: { include: ['tests/**/*.test.ts'], setupFiles: ['tests/english.ts'] },
});
