// How somebody's account stands, in words.

import { t, word } from '../lib/messages.svelte';
import type { PersonView } from '../lib/contract';

export function standings(person: PersonView): { text: string; grave: boolean }[] {
  const found = [
    ...(person.closed ? [{ text: t('page.pit.closed'), grave: true }] : []),
    ...(person.locked ? [{ text: t('page.pit.locked'), grave: true }] : []),
    ...(person.barred ? [{ text: t('page.pit.barred'), grave: true }] : []),
    ...(person.excluded ? [{ text: t('page.pit.excluded'), grave: true }] : []),
    ...(person.cooling_off ? [{ text: t('page.pit.cooling'), grave: true }] : []),
    ...(person.association === 'none' ? [] : [{ text: word('association', person.association), grave: true }]),
    ...(person.sessions ? [{ text: t('page.pit.here'), grave: false }] : []),
  ];
  if (found.length) return found;
  return [{ text: t(person.position === 'patron' ? 'page.pit.good' : 'page.pit.account-open'), grave: false }]; // whoever works here does not play
}
