import { mount } from 'svelte';

import App from './App.svelte';
import './theme.css';
import { session } from './lib/session.svelte';
import { speech } from './lib/language.svelte';

document.documentElement.lang = speech.tag;
const target = document.getElementById('page');
if (!target) throw new Error('the page has no place to stand in');
void session.resume();
mount(App, { target });
