// How somebody's account stands, in words.

import { say, type Texts } from '../lib/language.svelte';
import type { PersonView } from '../lib/contract';

const TEXTS = {
  closed: ['account closed', '账户已关闭'], locked: ['locked', '已锁定'], barred: ['barred by the house', '被本场禁入'], excluded: ['excluded themselves', '自我禁制'], cooling: ['cooling off', '冷静期'], here: ['signed in', '在线'], good: ['may play', '正常'],
} satisfies Texts;

export function standings(person: PersonView): { text: string; grave: boolean }[] {
  const found = [
    ...(person.closed ? [{ text: say(TEXTS.closed), grave: true }] : []),
    ...(person.locked ? [{ text: say(TEXTS.locked), grave: true }] : []),
    ...(person.barred ? [{ text: say(TEXTS.barred), grave: true }] : []),
    ...(person.excluded ? [{ text: say(TEXTS.excluded), grave: true }] : []),
    ...(person.cooling_off ? [{ text: say(TEXTS.cooling), grave: true }] : []),
    ...(person.sessions ? [{ text: say(TEXTS.here), grave: false }] : []),
  ];
  return found.length ? found : [{ text: say(TEXTS.good), grave: false }];
}
