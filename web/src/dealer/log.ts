// What happened, in the words of a table: who, what and how much. Names of events alone say too little.

import { named } from '../lib/language.svelte';
import { hasWord, t, word } from '../lib/messages.svelte';
import { shown } from '../lib/money';
import type { GameRules, PublicEvent, View } from '../lib/contract';
import { rankOf, suitSign } from '../parts/card';
import { seatOf } from './people';

export function happened(event: PublicEvent, view: View | null, rules: GameRules | null): string {
  const hand = (id: string): string => { const found = rules?.hands.find((each) => each.id === id); return found ? named(found.name) : id; };
  const wager = (id: string): string => (rules?.wagers[id] ? named(rules.wagers[id].name) : id);
  const card = (face: string | null): string => (face ? `${rankOf(face)}${suitSign(face)}` : t('page.dealer.log-down'));
  const cards = (faces: readonly (string | null)[]): string => faces.filter(Boolean).map(card).join(' ');
  const who = (person: string): string => (person ? seatOf(view, person) : t('page.dealer.log-dealer'));
  switch (event.name) {
    case 'wager-placed':
      return t('page.dealer.log-bet', { who: who(event.told.stake.patron), n: shown(event.told.added), wager: wager(event.told.stake.wager) });
    case 'wager-taken-back':
      return t('page.dealer.log-took-back', { who: who(event.told.stake.patron), n: shown(event.told.returned), wager: wager(event.told.stake.wager) });
    case 'stake-returned':
      return t('page.dealer.log-returned', { who: who(event.told.stake.patron), n: shown(event.told.stake.amount), wager: wager(event.told.stake.wager) });
    case 'wager-settled':
      return t('page.dealer.log-settled', { who: who(event.told.stake.patron), n: shown(event.told.net, { sign: true }), wager: wager(event.told.stake.wager) });
    case 'card-drawn':
      return t('page.dealer.log-card', { card: card(event.told.card.face), hand: hand(event.told.card.hand) });
    case 'cards-revealed':
      return t('page.dealer.log-open', { hand: hand(event.told.hand), cards: cards(event.told.cards) });
    case 'cards-given-back':
      return t('page.dealer.log-given-back', { hand: hand(event.told.hand) });
    case 'card-corrected':
      return t('page.dealer.log-corrected', { before: card(event.told.before), card: card(event.told.card) });
    case 'hand-passed':
      return t('page.dealer.log-passed', { hand: hand(event.told.hand), who: who(event.told.to) });
    case 'totals-announced':
      return t('page.dealer.log-totals', { first: event.told.totals[0], second: event.told.totals[1] });
    case 'result-announced':
      return event.told.winner === 'tie' ? word('choice', 'tie') : t('page.dealer.result-entry-wins', { hand: hand(event.told.winner) });
    case 'announcement-contradicted':
      return t('page.dealer.log-slip', { said: event.told.announced === 'tie' ? word('choice', 'tie') : hand(event.told.announced) });
    case 'chips-bought':
      return t('page.dealer.log-bought', { who: who(event.told.patron) });
    case 'dealer-changed':
      return t('page.dealer.log-deals', { who: event.told.dealer });
    default:
      return hasWord('event', event.name) ? word('event', event.name) : event.name;
  }
}
