import { describe, expect, it } from 'vitest';

import type { GameRules, LayoutRow, LayoutRules } from '../src/lib/contract';
import { areas, box, CLOTH, evenly, isShared, outline, print, sideOf, wedges } from '../src/table/felt';

const rows = (...lists: string[][]): LayoutRow[] => lists.map((list) => ({ areas: list, each_position: true, notices: [] }));
const layout = (found: LayoutRow[]): LayoutRules => ({ name: { en: 'A' }, title: false, positions: { min: 1, max: 8 }, places: ['one', 'two'], wagers: [], rows: found, clauses: [] });
const rules = { wagers: { one: { hand: 'one' }, two: { hand: 'two' } } } as unknown as GameRules;
const LAYOUTS = [
  layout(rows(['a', 'b', 'c'], ['d', 'e', 'f', 'g', 'h'], ['i', 'j'], ['one', 'two'])),
  layout(rows(['a', 'odds', 'b'], ['c'], ['one'], ['two'])),
];

describe('positions around the table', () => {
  it('are each there once, side by side, with the own one large, for any number and any seat', () => {
    for (let positions = 1; positions <= 9; positions++) {
      for (let own = 1; own <= positions; own++) {
        const found = wedges(positions, own);
        expect(found.map((each) => each.position).toSorted()).toEqual(Array.from({ length: positions }, (_, index) => index + 1));
        found.slice(1).forEach((each, index) => expect(each.from).toBeCloseTo(found[index]!.to));
        const width = (position: number) => found.filter((each) => each.position === position).map((each) => each.to - each.from)[0]!;
        for (const { position } of found) if (position !== own) expect(width(own)).toBeGreaterThan(5 * width(position));
      }
    }
  });
});

describe('areas', () => {
  it('fill the large position without lying on each other, on the cloth, each wide enough for a finger', () => {
    for (const each of LAYOUTS) {
      for (let positions = 1; positions <= 9; positions++) {
        const own = wedges(positions, 1).find(({ position }) => position === 1)!;
        const found = areas(each, rules, own);
        expect(found.map(({ wager }) => wager)).toEqual(each.rows.flatMap((row) => row.areas));
        for (const { sector, wager } of found) {
          expect(print(sector).width).toBeGreaterThan(wager === 'odds' ? 44 : 70);
          expect(print(sector).height).toBeGreaterThan(60);
          const around = box(sector);
          expect(around.x).toBeGreaterThan(0);
          expect(around.x + around.width).toBeLessThan(CLOTH.width);
          expect(around.y + around.height).toBeLessThan(CLOTH.height);
          for (const other of found) {
            if (other.sector === sector) continue;
            const apart = other.sector.to <= sector.from || other.sector.from >= sector.to || other.sector.outer <= sector.inner || other.sector.inner >= sector.outer;
            expect(apart).toBe(true);
          }
        }
      }
    }
  });

  it('have an outline that begins and ends at the same corner', () => {
    const path = outline({ inner: 700, outer: 800, from: -0.1, to: 0.1 });
    expect(path).toMatch(/^M[\d. ]+A800 800 0 0 0 [\d. ]+L[\d. ]+A700 700 0 0 1 [\d. ]+Z$/);
  });

  it('are shared where no row belongs to a position, and chips then lie on the side of their seat', () => {
    expect(LAYOUTS.some(isShared)).toBe(false);
    expect(isShared(layout([{ areas: ['tie', 'odds', 'tie'], each_position: false, notices: [] }]))).toBe(true);
    expect([1, 2, 3, 4, 5, 6, 7].map((seat) => sideOf(seat, 7, 2))).toEqual([0, 0, 0, 0, 1, 1, 1]);
    expect(sideOf(5, 7, 1)).toBe(0);
    expect(evenly(7)).toHaveLength(7);
  });
});
