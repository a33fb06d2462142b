import { describe, expect, it } from 'vitest';

import { enough, excess, heavyStakes } from '../src/dealer/differential';
import type { DifferentialView, GameRules, StakeView, View } from '../src/lib/contract';

const stake = (patron: string, wager: string, amount: string, place = 1): StakeView => ({ patron, place, wager, amount, placed_by: patron, confirmed: true, restack: false });
const differential: DifferentialView = { stage: 'asked', may_leave: false, heavier: 'player', gap: '6200.00', allowed: '5000.00', clause: 'IDT-5.16.3' };

describe('the table differential', () => {
  it('says by how much wagers must come down', () => {
    expect(excess(differential)).toBe('1200.00');
    expect(excess({ ...differential, gap: '4000.00' })).toBe('0.00');
  });

  it('lists the main wagers on the heavier hand, the largest first', () => {
    const stakes = { a: stake('ann', 'player', '300.00'), b: stake('bob', 'banker', '900.00', 2), c: stake('cai', 'player', '5000.00', 3), d: stake('ann', 'player-pair', '100.00') };
    const view = { round: { differential, stakes } } as unknown as View;
    const rules = { wagers: { player: { hand: 'player' }, banker: { hand: 'banker' }, 'player-pair': { hand: null } } } as unknown as GameRules;
    expect(heavyStakes(view, rules).map((each) => each.patron)).toEqual(['cai', 'ann']);
  });

  it('takes off just enough, in whole steps, or all', () => {
    expect(enough(stake('ann', 'player', '5000.00'), '1200.00', '5.00')).toBe('1200.00');
    expect(enough(stake('ann', 'player', '5000.00'), '1201.00', '25.00')).toBe('1225.00');
    expect(enough(stake('ann', 'player', '300.00'), '1200.00', '5.00')).toBe('300.00');
  });
});
