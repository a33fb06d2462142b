import { mount } from 'svelte';

import App from './App.svelte';
import './theme.css';
import { speak } from './lib/messages.svelte';
import { session } from './lib/session.svelte';
import { firstLanguage } from './lib/language.svelte';

const target = document.getElementById('page');
if (!target) throw new Error('the page has no place to stand in');
void session.resume();
await speak(firstLanguage());
mount(App, { target });
