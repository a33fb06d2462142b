import { afterEach, describe, expect, it } from 'vitest';

import { preferred } from '../src/lib/language.svelte';
import { said, speak, t, word } from '../src/lib/messages.svelte';

describe('the language of the reader', () => {
  it.each([
    [['zh-TW'], 'zh-Hant'], [['zh-HK', 'en'], 'zh-Hant'], [['zh-MO'], 'zh-Hant'], [['zh-Hant-SG'], 'zh-Hant'],
    [['zh-CN'], 'zh-Hans'], [['zh'], 'zh-Hans'], [['zh-Hans-HK'], 'zh-Hans'], [['pt-PT', 'zh-MO'], 'zh-Hant'], [['fr'], 'en'], [['en-GB', 'zh'], 'en'], [[], 'en'],
  ] as const)('is, of %s, %s', (asked, language) => expect(preferred(null, asked)).toBe(language));

  it('is the one that was chosen before, if it is one of ours', () => {
    expect(preferred('zh-Hans', ['en'])).toBe('zh-Hans');
    expect(preferred('klingon', ['zh-TW'])).toBe('zh-Hant');
  });
});

describe('what is said', () => {
  afterEach(() => speak('en'));

  it('is said in the language that is spoken', async () => {
    expect([t('page.table.undo'), t('page.table.cards-left', { n: 1 }), t('page.table.cards-left', { n: 1500 })]).toEqual(['Undo', '1 card left', '1,500 cards left']);
    await speak('zh-Hant');
    expect([t('page.table.edge'), word('phase', 'place-your-bets')]).toEqual(['賭場優勢', '下注中']);
  });

  it('is shown as it was told where a person told it, and by its code where the page does not know it', () => {
    expect([said({ code: 'as-told', args: { text: 'a drink was spilled' } }), said(null), said({ code: 'of-a-later-house', args: {} })]).toEqual(['a drink was spilled', '', 'of-a-later-house']);
    expect(word('event', 'moon-landed')).toBe('moon landed');
  });
});
