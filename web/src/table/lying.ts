// Where the chips of others lie on the curved felt: in the small areas of their own positions, or, on areas that all share, on
// the patrons' side of the area and beside the middle, which is kept for one's own.

import { total } from '../lib/money';
import type { StakeView } from '../lib/contract';
import { at, print, sideOf, type FeltArea, type Point, type Sector } from './felt';

const OWN_HALF = 44; // room for one's own stack, from the middle of an area
const CHIP_HALF = 17;
const STEP = 34; // from one stack to the next
const FROM_RIM = 25;

export type Pile = Point & { key: string; amount: string; who: string };
/** Where a position's areas are: small ones of its own, or those that are drawn large. */
type Cloth = { drawn: FeltArea[]; small: { wedge: { position: number }; drawn: FeltArea[] }[]; shared: boolean; positions: number; own: number };

/** One pile for each place and wager, whoever's chips are in it. */
export function piles(stakes: StakeView[], cloth: Cloth, called: (person: string) => string = (person) => person): Pile[] {
  const found = new Map<string, StakeView[]>();
  for (const stake of stakes) {
    const key = `${stake.place} ${stake.wager}`;
    found.set(key, [...(found.get(key) ?? []), stake]);
  }
  return [...found].flatMap(([key, together]) => {
    const [{ place, wager }] = together as [StakeView];
    const where = spot(place, wager, cloth);
    const who = together.map((each) => `${called(each.patron)}: ${each.amount}`).join(', ');
    return where ? [{ key, ...where, amount: total(together.map((each) => each.amount)), who }] : [];
  });
}

function spot(place: number, wager: string, { drawn, small, shared, positions, own }: Cloth): Point | null {
  const its = small.find(({ wedge }) => wedge.position === place)?.drawn.find((area) => area.wager === wager);
  if (its) return print(its.sector);
  const sides = drawn.filter((area) => area.wager === wager).length;
  const side = shared ? sideOf(place, positions, sides) : 0;
  const area = drawn.find((each) => each.wager === wager && each.side === side);
  if (!area) return null;
  const here = shared ? Array.from({ length: positions }, (_, index) => index + 1).filter((each) => sideOf(each, positions, sides) === side) : [own];
  return along(area.sector, here.includes(own) ? beside(place, own, here, area.sector) : among(place, here));
}

/** To the left or the right of one's own place, the nearer the seat the nearer the chips. */
function beside(place: number, own: number, here: number[], sector: Sector): number {
  const left = here.filter((each) => each < own).toReversed();
  const right = [...here.filter((each) => each > own), ...(place === own ? [own] : [])]; // somebody who stands and plays at one's own place
  const row = place < own ? left : right;
  const room = print(sector).width / 2 - OWN_HALF - CHIP_HALF;
  const step = Math.min(STEP, room / Math.max(1, row.length - 1));
  return (place < own ? -1 : 1) * (OWN_HALF + row.indexOf(place) * step);
}

function among(place: number, here: number[]): number {
  return (here.indexOf(place) - (here.length - 1) / 2) * STEP;
}

function along(sector: Sector, offset: number): Point {
  const radius = sector.outer - FROM_RIM;
  return at(radius, (sector.from + sector.to) / 2 + offset / radius);
}
