import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

import { shuffleCore } from './check_core.ts';

export default defineConfig({ plugins: [svelte(), shuffleCore()], test: { include: ['tests/**/*.test.ts'] } });
