// What the dealer says aloud, in two languages: a call is heard by everybody at the table.

import { named, type Language } from '../lib/language.svelte';
import { inLanguage } from '../lib/messages.svelte';
import type { GameRules, PublicEvent, RoundView, View } from '../lib/contract';
import { CALLS } from './commands';

export type Call = (language: Language) => string;

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
      return totalsCall(event.told.totals, rules);
    case 'result-announced':
      return resultCall(event.told.totals, event.told.winner, rules);
    default:
      return null;
  }
}

/** What was said last, from how the round stands: for whoever opens the console in the middle of it. */
export function standingCall(view: View, rules: GameRules): Call | null {
  const round: RoundView | null = view.round;
  if (!round) return null;
  if (round.winner && round.totals) return resultCall(round.totals, round.winner, rules);
  if (round.totals) return totalsCall(round.totals, rules);
  return spoken(round.phase === 'place-your-bets' ? 'call-place-your-bets' : 'call-no-more-bets');
}

function totalsCall(totals: [number, number], rules: GameRules): Call {
  return (language) => inLanguage(language, 'page.dealer.call-totals', counted(totals, rules, language));
}

function resultCall(totals: [number, number], winner: string, rules: GameRules): Call {
  const hand = rules.hands.find((each) => each.id === winner);
  if (!hand) return (language) => inLanguage(language, 'page.dealer.call-tie', { total: totals[0] });
  return (language) => inLanguage(language, 'page.dealer.call-result', { ...counted(totals, rules, language), winner: named(hand.name, language) });
}

function counted([first, second]: [number, number], { hands }: GameRules, language: Language) {
  const [one, two] = hands;
  return { one: named(one.name, language), first, two: named(two.name, language), second };
}
