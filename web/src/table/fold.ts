// A squeeze: the card lies on its face and an edge of it is bent up and over, so that what is printed there shows. The bend is a
// straight crease; what is beyond it is seen from below, turned over the crease.

export type Point = { x: number; y: number };
export type Fold = {
  back: Point[]; // what still lies, seen from behind
  flap: Point[]; // what is bent over, in the face's own coordinates
  matrix: readonly [number, number, number, number, number, number]; // puts the face where the flap lies
  depth: number; // how much of the card is bent, from 0 to 1
};

/** In how many steps a card is bent open; the house counts the same (longhu.table.handling.STEPS). */
export const STEPS = 10;

export const EDGES = ['bottom', 'right', 'top', 'left'] as const;
export type Edge = (typeof EDGES)[number];

/** The fold of a card of this size when it is taken at `held` and that is moved to `to`; null where nothing is bent. */
export function fold(width: number, height: number, held: Point, to: Point): Fold | null {
  const [dx, dy] = [to.x - held.x, to.y - held.y];
  const length = Math.hypot(dx, dy);
  const inwards = dx * (width / 2 - held.x) + dy * (height / 2 - held.y);
  if (length < 1 || inwards <= 0) return null;
  const normal = { x: dx / length, y: dy / length }; // points from the held edge into the card
  const offset = normal.x * (held.x + to.x) / 2 + normal.y * (held.y + to.y) / 2;
  const card = [{ x: 0, y: 0 }, { x: width, y: 0 }, { x: width, y: height }, { x: 0, y: height }];
  const beyond = (point: Point) => normal.x * point.x + normal.y * point.y - offset;
  const bent = cut(card, (point) => -beyond(point));
  const back = cut(card, beyond);
  if (bent.length < 3) return null;
  // A point p of the table goes to p - 2 (n·p - offset) n; the face's own x runs the other way (it is seen from below).
  const { x: nx, y: ny } = normal;
  const [a, b, c, d] = [1 - 2 * nx * nx, -2 * nx * ny, -2 * nx * ny, 1 - 2 * ny * ny];
  const [e, f] = [2 * offset * nx, 2 * offset * ny];
  return {
    back,
    flap: bent.map(({ x, y }) => ({ x: width - x, y })),
    matrix: [-a, -b, c, d, a * width + e, b * width + f],
    depth: Math.min(1, area(bent) / (width * height)),
  };
}

/** The part of a polygon where `inside` is not negative. */
function cut(polygon: Point[], inside: (point: Point) => number): Point[] {
  return polygon.flatMap((point, index) => {
    const next = polygon[(index + 1) % polygon.length] ?? point;
    const [here, there] = [inside(point), inside(next)];
    const crossing = here < 0 !== there < 0 ? [between(point, next, here / (here - there))] : [];
    return here >= 0 ? [point, ...crossing] : crossing;
  });
}

function between(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

function area(polygon: Point[]): number {
  const twice = polygon.reduce((sum, point, index) => {
    const next = polygon[(index + 1) % polygon.length] ?? point;
    return sum + point.x * next.y - next.x * point.y;
  }, 0);
  return Math.abs(twice) / 2;
}

/** Where a card is held when it is taken near this point: on the nearest edge, or at a corner. */
export function grip(width: number, height: number, { x, y }: Point): Point {
  const near = Math.min(width, height) * 0.22;
  const [left, top] = [Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), height)];
  const snapX = left < near ? 0 : left > width - near ? width : null;
  const snapY = top < near ? 0 : top > height - near ? height : null;
  if (snapX !== null && snapY !== null) return { x: snapX, y: snapY };
  const distances = { left, right: width - left, top, bottom: height - top };
  const nearest = EDGES.reduce((best, each) => (distances[each] < distances[best] ? each : best), 'bottom' as Edge);
  if (nearest === 'left' || nearest === 'right') return { x: nearest === 'left' ? 0 : width, y: top };
  return { x: left, y: nearest === 'top' ? 0 : height };
}

/** A bend of so many steps from the middle of an edge: how the keyboard does it, and how others see it. */
export function bend(width: number, height: number, edge: Edge, steps: number): { held: Point; to: Point } {
  const far = (steps / STEPS) * 2 * 0.92;
  const middle = { x: width / 2, y: height / 2 };
  if (edge === 'bottom') return { held: { x: middle.x, y: height }, to: { x: middle.x, y: height * (1 - far) } };
  if (edge === 'top') return { held: { x: middle.x, y: 0 }, to: { x: middle.x, y: height * far } };
  if (edge === 'left') return { held: { x: 0, y: middle.y }, to: { x: width * far, y: middle.y } };
  return { held: { x: width, y: middle.y }, to: { x: width * (1 - far), y: middle.y } };
}

/** The step that a bend of this depth is; the last is a card that has been looked at whole. */
export function stepOf(depth: number): number {
  return depth <= 0 ? 0 : Math.max(1, Math.min(STEPS, Math.round((depth / 0.92) * STEPS)));
}

export function polygon(points: Point[]): string {
  return points.length ? `polygon(${points.map(({ x, y }) => `${x.toFixed(2)}px ${y.toFixed(2)}px`).join(',')})` : 'inset(50%)';
}
