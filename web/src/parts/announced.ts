// What the dealer says of the totals and of the result: events tell only the numbers.

import type { GameRules, PublicEvent } from '../lib/contract';
import type { Message } from '../lib/messages.svelte';

type Hands = Pick<GameRules, 'hands'>;

/** The words of an announcement; null for any other event. */
export function announced(event: PublicEvent, { hands: [one, two] }: Hands): Message | null {
  if (event.name !== 'totals-announced' && event.name !== 'result-announced') return null;
  const [first_total, second_total] = event.told.totals;
  const args = { first: one.id, first_total, second: two.id, second_total };
  if (event.name === 'totals-announced') return { code: 'totals', args };
  const { winner } = event.told;
  return winner === 'tie' ? { code: 'tie', args: { total: first_total } } : { code: 'result', args: { ...args, winner } };
}
