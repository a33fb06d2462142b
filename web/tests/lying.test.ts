import { describe, expect, it } from 'vitest';

import type { GameRules, LayoutRules, StakeView } from '../src/lib/contract';
import { areas, print } from '../src/table/felt';
import { piles } from '../src/table/lying';

const layout = { rows: [{ areas: ['tiger', 'dragon', 'odds', 'tiger', 'dragon'] }] } as unknown as LayoutRules;
const rules = { wagers: { tiger: { hand: 'tiger' }, dragon: { hand: 'dragon' } } } as unknown as GameRules;
const cloth = { drawn: areas(layout, rules), small: [], shared: true, positions: 7, own: 2 };
const stake = (patron: string, place: number, wager = 'dragon', amount = '5.00') => ({ patron, place, wager, amount, confirmed: true }) as unknown as StakeView;
const apart = (one: { x: number; y: number }, other: { x: number; y: number }) => Math.hypot(one.x - other.x, one.y - other.y);

describe('chips of others on areas that all share', () => {
  const found = piles([1, 3, 4, 5, 6, 7].map((place) => stake(`p${place}`, place)), cloth);

  it('lie apart from one another, and from the middle of the area that is one\'s own', () => {
    const [own] = cloth.drawn.filter((area) => area.wager === 'dragon').map((area) => print(area.sector));
    for (const [index, each] of found.entries()) {
      expect(apart(each, own!)).toBeGreaterThan(38);
      for (const other of found.slice(index + 1)) expect(apart(each, other)).toBeGreaterThan(18);
    }
  });

  it('lie on the side of the table that their seat is on', () => {
    const x = (place: number) => found.find((each) => each.key.startsWith(`${place} `))!.x;
    expect(x(1)).toBeLessThan(x(3));
    expect(x(4)).toBeLessThan(600);
    expect(x(5)).toBeGreaterThan(600);
  });

  it('are one pile where two play at one place', () => {
    const [pile, ...more] = piles([stake('ann', 5), stake('ben', 5, 'dragon', '10.00')], cloth);
    expect(more).toEqual([]);
    expect(pile).toMatchObject({ amount: '15.00', who: 'ann: 5.00, ben: 10.00' });
  });
});
