import { expect, it } from 'vitest';

import type { GameRules, PublicEvent, Recalled } from '../src/lib/contract';
import { framesOf, settledIn } from '../src/history/replay';

let sequence = 0;
function event(name: string, told: Record<string, unknown>, clause = ''): PublicEvent {
  return { type: 'event', sequence: ++sequence, at: 0, name, by: 'dealer', clause, told } as PublicEvent;
}

const stake = (patron: string) => ({ patron, place: 1, wager: 'player', amount: '5.00' });
const rules: Pick<GameRules, 'hands'> = { hands: [{ id: 'player', name: { en: 'Player' } }, { id: 'banker', name: { en: 'Banker' } }] };
const round: Recalled = {
  recall: true, shuffled_here: false, staff: null, version: '2025-07-28', in_force: '2025-07-28T09:00:00+08:00',
  table: 'T1', number: 1, game: 'g', digest: '', started: 0, ended: 1, void: false, winner: 'player', totals: [6, 1], shoe: 1, cards: [], staked: { player: '5.00' }, viewer: '#1',
  events: [
    event('round-started', {}),
    event('wager-placed', { stake: stake('ann') }),
    event('wager-placed', { stake: stake('bob') }),
    event('card-drawn', { card: { hand: 'player', face: null }, why: { code: 'first-card', args: { hand: 'player' } } }),
    event('card-drawn', { card: { hand: 'banker', face: '7H' }, why: { code: 'first-card', args: { hand: 'banker' } } }),
    event('card-squeezed', { place: 0, step: 3 }),
    event('cards-revealed', { hand: 'player', cards: ['KS'] }, 'IDT-3.10'),
    event('totals-announced', { totals: [6, 1] }, 'IDT-3.5'),
    event('result-announced', { totals: [6, 1], winner: 'player', number: 4 }, 'IDT-3.9'),
    event('wager-settled', { stake: stake('ann'), line: 3, result: 'win', pays: '1:1', net: '5.00' }, 'IDT-4.1a'),
  ],
};

it('goes from frame to frame, wagers together, squeezes left out', () => {
  expect(framesOf(round, rules).map((each) => [each.name, each.count])).toEqual([
    ['round-started', 1], ['wagers', 2], ['card-drawn', 1], ['card-drawn', 1], ['cards-revealed', 1], ['totals-announced', 1], ['result-announced', 1], ['settled', 1],
  ]);
});

it('shows a card face down until it was turned over', () => {
  const frames = framesOf(round, rules);
  expect(frames[3]?.cards).toEqual([{ hand: 'player', face: null }, { hand: 'banker', face: '7H' }]);
  expect(frames[4]?.cards).toEqual([{ hand: 'player', face: 'KS' }, { hand: 'banker', face: '7H' }]);
  expect(frames[4]?.fresh).toEqual([0]);
});

it('tells what each wager came to', () => {
  expect(settledIn(round)).toEqual([{ ...stake('ann'), line: 3, result: 'win', pays: '1:1', net: '5.00', clause: 'IDT-4.1a' }]);
});

it('gives the reason of a card, and the words of the dealer from the numbers', () => {
  const says = framesOf(round, rules).map((each) => each.says);
  expect(says[2]).toEqual({ code: 'first-card', args: { hand: 'player' } });
  const totals = { first: 'player', first_total: 6, second: 'banker', second_total: 1 };
  expect(says.slice(5)).toEqual([{ code: 'totals', args: totals }, { code: 'result', args: { ...totals, winner: 'player' } }, null]);
  const tie = { ...round, events: [event('result-announced', { totals: [6, 6], winner: 'tie', number: 9 })] };
  expect(framesOf(tie, rules)[0]?.says).toEqual({ code: 'tie', args: { total: 6 } });
});
