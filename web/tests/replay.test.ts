import { expect, it } from 'vitest';

import type { PublicEvent, Recalled } from '../src/lib/contract';
import { framesOf, settledIn } from '../src/history/replay';

let sequence = 0;
function event(name: string, told: Record<string, unknown>, clause = ''): PublicEvent {
  return { type: 'event', sequence: ++sequence, at: 0, name, by: 'dealer', clause, told } as PublicEvent;
}

const stake = (patron: string) => ({ patron, place: 1, wager: 'player', amount: '5.00' });
const round: Recalled = {
  recall: true,
  table: 'T1', number: 1, game: 'g', digest: '', started: 0, ended: 1, void: false, winner: 'player', totals: [6, 1], shoe: 1, cards: [], staked: { player: '5.00' }, viewer: '#1',
  events: [
    event('round-started', {}),
    event('wager-placed', { stake: stake('ann') }),
    event('wager-placed', { stake: stake('bob') }),
    event('card-drawn', { card: { hand: 'player', face: null }, why: "Player's first card" }),
    event('card-drawn', { card: { hand: 'banker', face: '7H' }, why: '' }),
    event('card-squeezed', { place: 0, step: 3 }),
    event('cards-revealed', { hand: 'player', cards: ['KS'] }, 'IDT-3.10'),
    event('wager-settled', { stake: stake('ann'), line: 'Player wins', result: 'win', pays: '1:1', net: '5.00' }, 'IDT-4.1a'),
  ],
};

it('goes from frame to frame, wagers together, squeezes left out', () => {
  expect(framesOf(round).map((each) => [each.name, each.count])).toEqual([
    ['round-started', 1], ['wagers', 2], ['card-drawn', 1], ['card-drawn', 1], ['cards-revealed', 1], ['settled', 1],
  ]);
});

it('shows a card face down until it was turned over', () => {
  const frames = framesOf(round);
  expect(frames[3]?.cards).toEqual([{ hand: 'player', face: null }, { hand: 'banker', face: '7H' }]);
  expect(frames[4]?.cards).toEqual([{ hand: 'player', face: 'KS' }, { hand: 'banker', face: '7H' }]);
  expect(frames[4]?.fresh).toEqual([0]);
});

it('tells what each wager came to', () => {
  expect(settledIn(round)).toEqual([{ ...stake('ann'), line: 'Player wins', result: 'win', pays: '1:1', net: '5.00', clause: 'IDT-4.1a' }]);
});
