import { describe, expect, it } from 'vitest';

import type { CardView, Chances } from '../src/lib/contract';
import { totalOf } from '../src/table/reckoned';

const card = (hand: string, open = true) => ({ hand, public: open }) as unknown as CardView;
const cards = [card('player'), card('banker'), card('player'), card('banker', false)];
const chances = (cards_open: number, round = 7) => ({ round, cards_open, totals: { player: 8, banker: 7 } }) as unknown as Chances;

describe('what a hand comes to, as the house has reckoned it', () => {
  it('is told where all of its open cards were counted', () => {
    expect(totalOf('player', cards, 7, chances(3))).toBe(8);
    expect(totalOf('banker', cards, 7, chances(3))).toBe(7);
  });

  it('is not told where the answer is older than a card of the hand', () => {
    expect(totalOf('player', cards, 7, chances(2))).toBeNull();
    expect(totalOf('banker', cards, 7, chances(2))).toBe(7); // which got none since
  });

  it('is not told of another round, or without an answer', () => {
    expect(totalOf('player', cards, 8, chances(3))).toBeNull();
    expect(totalOf('player', cards, 7, null)).toBeNull();
  });
});
