import { describe, expect, it } from 'vitest';

import { bend, EDGES, fold, grip, stepOf, STEPS, type Point } from '../src/table/fold';

const [W, H] = [200, 280];
const put = ([a, b, c, d, e, f]: readonly number[], { x, y }: Point): Point => ({ x: a! * x + c! * y + e!, y: b! * x + d! * y + f! });

describe('a fold', () => {
  it('brings the held edge to where the finger is', () => {
    const found = fold(W, H, { x: 100, y: 280 }, { x: 100, y: 200 });
    const held = found?.flap.map((point) => put(found.matrix, point)) ?? [];
    expect(Math.min(...held.map(({ y }) => Math.round(y)))).toBe(200); // the edge itself
    expect(Math.max(...held.map(({ y }) => Math.round(y)))).toBe(240); // the crease, halfway
    expect(found?.depth).toBeCloseTo(40 / 280);
  });

  it('is a turn, never a mirror: the print can be read', () => {
    for (const to of [{ x: 120, y: 100 }, { x: 30, y: 250 }, { x: 199, y: 3 }]) {
      const [a, b, c, d] = fold(W, H, { x: 0, y: 280 }, to)!.matrix;
      expect(a * d - b * c).toBeCloseTo(1);
    }
  });

  it('shows at the left edge what is printed at the right of the face', () => {
    const found = fold(W, H, { x: 0, y: 140 }, { x: 60, y: 140 });
    expect(found?.flap.map(({ x }) => Math.round(x)).toSorted((p, q) => p - q)).toEqual([170, 170, 200, 200]);
  });

  it('leaves a card alone that is not moved, or pulled outwards', () => {
    expect(fold(W, H, { x: 0, y: 280 }, { x: 0, y: 280.5 })).toBeNull();
    expect(fold(W, H, { x: 100, y: 280 }, { x: 100, y: 330 })).toBeNull();
  });

  it('keeps all of the card: what lies and what is bent', () => {
    const size = (points: Point[]) => Math.abs(points.reduce((sum, p, i) => sum + p.x * points[(i + 1) % points.length]!.y - points[(i + 1) % points.length]!.x * p.y, 0)) / 2;
    const found = fold(W, H, { x: 0, y: 280 }, { x: 90, y: 130 })!;
    expect(size(found.back) + size(found.flap)).toBeCloseTo(W * H);
  });
});

describe('a grip', () => {
  it('is at a corner near one, and on the nearest edge elsewhere', () => {
    expect(grip(W, H, { x: 10, y: 270 })).toEqual({ x: 0, y: 280 });
    expect(grip(W, H, { x: 100, y: 260 })).toEqual({ x: 100, y: 280 });
    expect(grip(W, H, { x: 190, y: 140 })).toEqual({ x: 200, y: 140 });
  });
});

describe('the steps', () => {
  it('grow with the bend, from each edge, up to the last', () => {
    for (const edge of EDGES) {
      const steps = Array.from({ length: STEPS }, (_, index) => {
        const { held, to } = bend(W, H, edge, index + 1);
        return stepOf(fold(W, H, held, to)?.depth ?? 0);
      });
      expect(steps).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }
  });
});
