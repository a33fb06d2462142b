// What the house has reckoned of the cards that lie open: its answer may be older than the last card.

import type { CardView, Chances } from '../lib/contract';

/** What a hand comes to; nothing where the house has not counted all of its open cards yet. */
export function totalOf(hand: string, cards: CardView[], round: number, chances: Chances | null): number | null {
  if (!chances || chances.round !== round) return null;
  const open = cards.filter((card) => card.public);
  const of = (some: CardView[]) => some.filter((card) => card.hand === hand).length;
  return of(open.slice(0, chances.cards_open)) === of(open) ? (chances.totals[hand] ?? null) : null;
}
