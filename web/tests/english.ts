// Tests read English.

import { speak } from '../src/lib/messages.svelte';

await speak('en');
