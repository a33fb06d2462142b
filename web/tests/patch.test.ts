// A JSON Patch makes exactly the new document of the old, and leaves the old one alone.

import { describe, expect, it } from 'vitest';
import { patched } from '../src/lib/patch';
import type { Operation } from '../src/lib/contract';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const NAMES = ['', 'a', 'a/b', '~', '~1', '#1/2/tie', '/', '__proto', 'é'];

/** Numbers that look random and are the same in every run. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function any(draw: (below: number) => number, depth = 0): Json {
  switch (draw(depth < 3 ? 8 : 4)) {
    case 0: return null;
    case 1: return draw(2) === 1;
    case 2: return draw(3);
    case 3: return NAMES[draw(NAMES.length)] ?? '';
    case 4: return Array.from({ length: draw(3) }, () => any(draw, depth + 1));
    default: return object(draw, depth + 1);
  }
}

function object(draw: (below: number) => number, depth = 0): { [name: string]: Json } {
  return Object.fromEntries(Array.from({ length: draw(4) }, () => [NAMES[draw(NAMES.length)] ?? '', any(draw, depth)]));
}

function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A patch from one document to another, as the house makes them: objects member by member, anything else as a whole. */
function difference(before: { [name: string]: Json }, after: { [name: string]: Json }, path = ''): Operation[] {
  const at = (name: string) => `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const gone = Object.keys(before).filter((name) => !(name in after));
  const set = Object.entries(after).flatMap(([name, value]): Operation[] => {
    const old = before[name];
    if (!(name in before)) return [{ op: 'add', path: at(name), value }];
    if (isObject(old) && isObject(value)) return difference(old, value, at(name));
    return JSON.stringify(old) === JSON.stringify(value) ? [] : [{ op: 'replace', path: at(name), value }];
  });
  return [...set, ...gone.map((name): Operation => ({ op: 'remove', path: at(name) }))];
}

describe('a patch', () => {
  it('makes exactly the new document of the old, and leaves the old one as it was', () => {
    const draw = chance(1);
    for (let run = 0; run < 3000; run += 1) {
      const before = object(draw);
      const after = object(draw);
      const kept = JSON.stringify(before);
      expect(patched(before, difference(before, after))).toEqual(after);
      expect(JSON.stringify(before)).toBe(kept);
    }
  });

  it('sets null as a value, and removes only what it is told to', () => {
    const view = { balance: '5.00', round: { stakes: { '#1/2/tie': { amount: '1.00' } }, winner: null } };
    const patch: Operation[] = [
      { op: 'replace', path: '/balance', value: null },
      { op: 'remove', path: '/round/stakes/#1~12~1tie' },
    ];
    expect(patched<unknown>(view, patch)).toEqual({ balance: null, round: { stakes: {}, winner: null } });
  });

  it('copies what it changes, and nothing else', () => {
    const view = { round: { number: 1, cards: [] }, seats: {} };
    const after = patched(view, [{ op: 'replace', path: '/round/number', value: 2 }]);
    expect(after.seats).toBe(view.seats);
    expect(after.round.cards).toBe(view.round.cards);
    expect(after.round).not.toBe(view.round);
  });
});
