// Names of game files, as readers of each language see them.

import { afterEach, expect, test } from 'vitest';

import { alsoNamed, named, speech } from '../src/lib/language.svelte';

const PLAYER = { en: 'Player', 'zh-Hans': '闲', 'zh-Hant': '閒' };

afterEach(() => (speech.now = 'en'));

test('a name is read in English, and beside it in Chinese', () => {
  expect([named(PLAYER), alsoNamed(PLAYER)]).toEqual(['Player', '闲']);
  expect([named({ en: 'Red' }), alsoNamed({ en: 'Red' })]).toEqual(['Red', '']);
});

test('a name is read in Chinese, and beside it in English; without Chinese, in English alone', () => {
  speech.now = 'zh-Hans';
  expect([named(PLAYER), alsoNamed(PLAYER)]).toEqual(['闲', 'Player']);
  expect([named({ en: 'Red' }), alsoNamed({ en: 'Red' })]).toEqual(['Red', '']);
});
