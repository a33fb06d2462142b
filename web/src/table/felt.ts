// The felt as a real one is cut: rows of areas on arcs about a point behind the dealer, the seats around the outside.
// Everything is reckoned on a cloth of fixed size; the page scales it to the room there is.

import type { GameRules, LayoutRules } from '../lib/contract';

export const CLOTH = { width: 1200, height: 770 } as const;
const CENTRE = { x: 600, y: -300 } as const;
const ROWS = { inner: 632, outer: 996 } as const; // the areas lie between these
const RIM = 1052; // where the cloth ends
const SPREAD = (34 * Math.PI) / 180; // to either side of the middle
const OWN_MOST = 0.62; // of the whole width: the large position
const OWN_LEAST = 0.46;
const OTHER_MOST = 0.12; // of it: each of the others, where there are few
const OTHER_USUAL = 0.088;
const GAP = 5; // between two areas

/** A piece of a ring: radii, and angles from straight down, to the right. */
export type Sector = { inner: number; outer: number; from: number; to: number };
export type Point = { x: number; y: number };
/** One area of the felt: a wager, or a panel that prints odds; `side` counts areas of the same wager, from the left. */
export type FeltArea = { wager: string; row: number; side: number; sector: Sector };
export type Wedge = { position: number; from: number; to: number };

export function at(radius: number, angle: number): Point {
  return { x: CENTRE.x + radius * Math.sin(angle), y: CENTRE.y + radius * Math.cos(angle) };
}

/** The outline of a sector, moved by so much. */
export function outline({ inner, outer, from, to }: Sector, moved: Point = { x: 0, y: 0 }): string {
  const [a, b, c, d] = [at(outer, from), at(outer, to), at(inner, to), at(inner, from)].map(({ x, y }) => `${round(x - moved.x)} ${round(y - moved.y)}`);
  return `M${a}A${outer} ${outer} 0 0 0 ${b}L${c}A${inner} ${inner} 0 0 1 ${d}Z`;
}

/** The box around a sector. */
export function box(sector: Sector): { x: number; y: number; width: number; height: number } {
  const angles = [sector.from, sector.to, ...(sector.from < 0 && sector.to > 0 ? [0] : [])];
  const points = angles.flatMap((angle) => [at(sector.inner, angle), at(sector.outer, angle)]);
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys))];
  return { x, y, width: Math.ceil(Math.max(...xs)) - x, height: Math.ceil(Math.max(...ys)) - y };
}

/** Where the print of a sector stands: its middle, how it is turned, and the room it has. */
export function print(sector: Sector): Point & { turn: number; width: number; height: number } {
  const [radius, angle] = [(sector.inner + sector.outer) / 2, (sector.from + sector.to) / 2];
  const width = 2 * sector.inner * Math.sin((sector.to - sector.from) / 2);
  return { ...at(radius, angle), turn: (-angle * 180) / Math.PI, width, height: sector.outer - sector.inner };
}

/** The positions around the table: `own` large in the middle, the others beside it in their order. */
export function wedges(positions: number, own: number): Wedge[] {
  const others = positions - 1;
  const other = others ? Math.min(OTHER_MOST, Math.max(OTHER_USUAL, (1 - OWN_MOST) / others), (1 - OWN_LEAST) / others) : 0;
  const large = Math.min(OWN_MOST, 1 - others * other);
  const before = Math.floor(others / 2);
  const order = Array.from({ length: positions }, (_, index) => ((own - 1 - before + index + positions * 2) % positions) + 1);
  let share = (1 - large - others * other) / 2;
  return order.map((position) => {
    const from = share;
    share += position === own ? large : other;
    return { position, from: angleOf(from), to: angleOf(share) };
  });
}

/** The positions where all of them share the areas: evenly around the rim. */
export function evenly(positions: number): Wedge[] {
  return Array.from({ length: positions }, (_, index) => ({ position: index + 1, from: angleOf(index / positions), to: angleOf((index + 1) / positions) }));
}

/** Whether the areas of a layout belong to each position, as in baccarat, or to all together. */
export function isShared(layout: LayoutRules): boolean {
  return layout.rows.every((row) => !row.each_position);
}

/** The areas between two angles: the rows from the dealer's side outwards, hands wider than what is beside them. */
export function areas(layout: LayoutRules, rules: GameRules, wedge: { from: number; to: number } = { from: -SPREAD, to: SPREAD }): FeltArea[] {
  const heights = layout.rows.map((row) => (row.areas.some((area) => rules.wagers[area]?.hand) ? 1.3 : 1));
  const unit = (ROWS.outer - ROWS.inner) / sum(heights);
  const found: FeltArea[] = [];
  let inner: number = ROWS.inner;
  layout.rows.forEach((row, index) => {
    const outer = inner + (heights[index] ?? 1) * unit;
    const widths = row.areas.map((area) => (area === 'odds' ? 0.55 : 1));
    const turn = (wedge.to - wedge.from) / sum(widths);
    let from = wedge.from;
    row.areas.forEach((wager, place) => {
      const to = from + (widths[place] ?? 1) * turn;
      const half = GAP / 2 / ((inner + outer) / 2);
      const side = row.areas.slice(0, place).filter((each) => each === wager).length;
      found.push({ wager, row: index, side, sector: { inner: round(inner + GAP / 2), outer: round(outer - GAP / 2), from: from + half, to: to - half } });
      from = to;
    });
    inner = outer;
  });
  return found;
}

/** On which of the areas of a wager a position puts its chips: the one on its side of the table. */
export function sideOf(position: number, positions: number, sides: number): number {
  return Math.max(0, Math.min(sides - 1, Math.floor(((position - 1) * sides) / positions)));
}

/** Where a seat is: on the rim, in the middle of its wedge. */
export function seatAt(wedge: Wedge): Point & { turn: number; width: number } {
  const angle = (wedge.from + wedge.to) / 2;
  return { ...at((ROWS.outer + RIM) / 2, angle), turn: (-angle * 180) / Math.PI, width: ROWS.outer * (wedge.to - wedge.from) };
}

/** The edge of the table: straight at the dealer's side, round at the patrons'; `more` is the width of the rail around it. */
export function edge(more = 0): string {
  const radius = RIM + more;
  const [left, right] = [at(radius, -SPREAD), at(radius, SPREAD)];
  const [top, corner] = [14 - more, 70];
  return (
    `M${round(left.x)} ${top + corner}Q${round(left.x)} ${top} ${round(left.x) + corner} ${top}H${round(right.x) - corner}` +
    `Q${round(right.x)} ${top} ${round(right.x)} ${top + corner}L${round(right.x)} ${round(right.y) - 30}Q${round(right.x)} ${round(right.y)} ${round(right.x) - 26} ${round(right.y) + 20}` +
    `A${radius} ${radius} 0 0 1 ${round(left.x) + 26} ${round(left.y) + 20}Q${round(left.x)} ${round(left.y)} ${round(left.x)} ${round(left.y) - 30}Z`
  );
}

/** A thin line along the cloth's edge, or between the hands and the areas. */
export function arc(radius: number, spread = SPREAD): string {
  const [from, to] = [at(radius, -spread), at(radius, spread)];
  return `M${round(from.x)} ${round(from.y)}A${radius} ${radius} 0 0 0 ${round(to.x)} ${round(to.y)}`;
}

function angleOf(share: number): number {
  return -SPREAD + 2 * SPREAD * share;
}

function sum(numbers: number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}
