// What the dealer says aloud, in both languages: a call is heard by everybody at the table.

import type { GameRules, PublicEvent, RoundView, View } from '../lib/contract';
import { wordsOf } from './commands';

export type Call = { en: string; zh: string };

const TIE: Call = { en: 'Tie', zh: '和局' };
const LAST_HAND: Call = { en: 'The cutting card is out', zh: '切牌已出' };

function spoken(command: string): Call | null {
  const call = wordsOf(command).call;
  return call ? { en: call[0], zh: call[1] } : null;
}

/** What an event is called out as; null where nothing is said. */
export function callOf(event: PublicEvent, rules: GameRules): Call | null {
  switch (event.name) {
    case 'round-started':
      return spoken('call-place-your-bets');
    case 'betting-closed':
      return spoken('call-no-more-bets');
    case 'cutting-card-shown':
      return LAST_HAND;
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
  return spoken(round.phase === 'place your bets' ? 'call-place-your-bets' : 'call-no-more-bets');
}

function totalsCall([first, second]: [number, number], { hands }: GameRules): Call {
  const [one, two] = hands;
  return { en: `${one.en} ${first}, ${two.en} ${second}`, zh: `${one.zh ?? one.en} ${first} 点，${two.zh ?? two.en} ${second} 点` };
}

function resultCall(totals: [number, number], winner: string, rules: GameRules): Call {
  const said = totalsCall(totals, rules);
  const hand = rules.hands.find((each) => each.id === winner);
  if (!hand) return { en: `${TIE.en}, ${totals[0]}`, zh: `${TIE.zh}，${totals[0]} 点` };
  return { en: `${said.en}: ${hand.en} wins`, zh: `${said.zh}：${hand.zh ?? hand.en}赢` };
}
