// What the dealer says aloud, in two languages: a call is heard by everybody at the table.

import { named, type Language } from '../lib/language.svelte';
import { inLanguage } from '../lib/messages.svelte';
import type { Acts, GameRules, PublicEvent, RoundView, View } from '../lib/contract';
import { rankWord } from '../parts/card';
import { CALLS } from './commands';

export type Call = (language: Language) => string;
type Points = [string | number, string | number];

function spoken(command: string): Call | null {
  const code = CALLS[command];
  return code ? (language) => inLanguage(language, code) : null;
}

/** What an event is called out as; null where nothing is said. */
export function callOf(event: PublicEvent, rules: GameRules): Call | null {
  switch (event.name) {
    case 'round-started':
      return spoken('call-place-your-bets');
    case 'betting-closed':
      return spoken('call-no-more-bets');
    case 'cutting-card-shown':
      return (language) => inLanguage(language, 'page.dealer.call-cutting-card');
    case 'totals-announced':
      return totalsCall(() => event.told.totals, rules);
    case 'result-announced':
      return resultCall(() => event.told.totals, event.told.winner, rules);
    default:
      return null;
  }
}

/** What is to be said with the next act, from how the cards lie now; null where nothing is. */
export function callNow(act: string, view: View, rules: GameRules, { due, result }: Acts): Call | null {
  const round = view.round;
  if (CALLS[act]) return spoken(act);
  if (!round) return null;
  if (act === 'announce-totals') return totalsCall((language) => points(round, language), rules);
  if (act === 'announce-result' || (act === 'settle-round' && round.winner)) {
    return resultCall((language) => points(round, language), round.winner ?? result ?? '', rules);
  }
  const hand = rules.hands.find((each) => each.id === due?.hand);
  if (act === 'draw-card' && hand && round.totals) return (language) => inLanguage(language, 'page.dealer.call-card', { hand: named(hand.name, language) });
  return null;
}

/** The totals of the cards that lie there; with one card a hand, the rank is what is called. */
function points(round: RoundView, language: Language): Points {
  const [one, two] = round.cards;
  if (round.cards.length === 2 && one?.face && two?.face) return [rankWord(one.face, language), rankWord(two.face, language)];
  return [round.counted[0] ?? '', round.counted[1] ?? ''];
}

function totalsCall(totals: (language: Language) => Points, rules: GameRules): Call {
  return (language) => inLanguage(language, 'page.dealer.call-totals', counted(totals(language), rules, language));
}

function resultCall(totals: (language: Language) => Points, winner: string, rules: GameRules): Call {
  const hand = rules.hands.find((each) => each.id === winner);
  if (!hand) return (language) => inLanguage(language, 'page.dealer.call-tie', { total: totals(language)[0] });
  return (language) => inLanguage(language, 'page.dealer.call-result', { ...counted(totals(language), rules, language), winner: named(hand.name, language) });
}

function counted([first, second]: Points, { hands }: GameRules, language: Language) {
  const [one, two] = hands;
  return { one: named(one.name, language), first, two: named(two.name, language), second };
}
